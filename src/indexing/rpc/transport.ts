/** One endpoint of a node. Every failure is an RpcError. */
export type RpcTransport = {
  /** Opens the connection, where the endpoint has one that lasts. Nothing is asked over any other: who is behind the next one has to say anew which chain it serves. */
  open(timeoutMs: number): Promise<void>;
  request(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown>;
  /** Calls `wake` for each new head, where the endpoint can tell; resolves to false where it can not. Ends with the connection. */
  subscribe(wake: () => void, timeoutMs: number): Promise<boolean>;
  /** Drops the connection, subscription included. */
  close(): void;
};
