/** One endpoint of a node. Every failure is an RpcError. */
export type RpcTransport = {
  request(method: string, params: readonly unknown[], timeoutMs: number): Promise<unknown>;
  /** Calls `wake` for each new head, where the endpoint can tell; resolves to false where it can not. Ends with the connection. */
  subscribe(wake: () => void, timeoutMs: number): Promise<boolean>;
  /** Drops the connection, subscription included. A later request opens another. */
  close(): void;
};
