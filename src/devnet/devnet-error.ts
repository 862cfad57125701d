/** The local chain can not be brought up or has died. The message is for the person at the terminal. */
export class DevnetError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DevnetError';
  }
}
