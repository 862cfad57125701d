/** Something that is asked for and can not be had: one line for the operator. */
export type Refused = { readonly ok: false; readonly message: string };
