/** A server sent a message longer than one may be. It did its work; asked the same again, it says the same again. */
export class MessageTooLongError extends Error {
  override readonly name = 'MessageTooLongError';
  readonly maxBytes: number;

  constructor(who: string, maxBytes: number) {
    super(`${who} sent a message longer than ${maxBytes} bytes; ask for less at once`);
    this.maxBytes = maxBytes;
  }
}
