/** What is broken: the TypeScript that money goes through. */
export type Room = {
  readonly name: string;
  /** Files below src/, by pattern. */
  readonly files: RegExp;
};

export const ROOMS: readonly Room[] = [
  { name: 'quoting', files: /^quoting\// },
  { name: 'metering', files: /^metering\// },
  { name: 'admission', files: /^admission\// },
  { name: 'building', files: /^building\// },
  { name: 'validation', files: /^validation\// },
  { name: 'routing', files: /^routing\/(execute\/[\w-]+|paths\/(small-amounts|walk)|flow\/least-sale|certify|write-plan)\.ts$/ },
  { name: 'snapshot', files: /^snapshot\// },
  { name: 'indexing', files: /^indexing\// },
  { name: 'venues', files: /^venues\/(?!.*(track|load|encode|venues)\.ts$)/ },
];
