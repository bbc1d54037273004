/** The client closed its connection before it had all of the answer. Nobody is left to be told. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client closed the connection before the answer was complete');
    this.name = 'ClientGoneError';
  }
}
