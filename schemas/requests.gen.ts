// Generated from schemas/requests.schema.json by `npm run generate`. Do not edit.

/**
 * Requests for the offline solver, plain or gzipped: a list, or an object with the list under requests or orders. A row that does not match is answered with a reason.
 */
export type OfflineRequests =
  | List
  | {
      requests: List;
    }
  | {
      orders: List;
    };
/**
 * [sellToken, buyToken, amount, mode].
 *
 * @minItems 4
 * @maxItems 4
 */
export type Row = string[];
export type List = (Row | Request)[];

/**
 * Any query parameter of /v1/quote as a member. The amount that the mode does not use is ignored, as are unknown members.
 */
export interface Request {
  /**
   * Echoed in the answer. Default: the position in the list, from 0.
   */
  id?: string | number;
  /**
   * Alias of id.
   */
  uid?: string | number;
  mode: string;
  sellToken: string;
  buyToken: string;
  /**
   * Base units.
   */
  sellAmount?: string;
  /**
   * Base units.
   */
  buyAmount?: string;
}
