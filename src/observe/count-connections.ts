import type { Server, Socket } from 'node:net';

/** Counts the open connections of a server, and tells of those that it closes because it has as many as it takes. Node's own count is asynchronous. */
export function countConnections(server: Server, onDropped: () => void): () => number {
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open++;
    socket.once('close', () => {
      open--;
    });
  });
  server.on('drop', onDropped);
  return () => open;
}
