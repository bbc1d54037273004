import { BYTES_PER_VALUE } from '../../proxy/json/json-meter.ts';

/** What a message may not have more than, in words. */
export const messageLimit = (maxBytes: number): string =>
  `${maxBytes} bytes, or of more JSON values than one for ${BYTES_PER_VALUE} of them (mcp.maxMessageBytes)`;

/** A server sent a message longer than one may be. It did its work; asked the same again, it says the same again. */
export class MessageTooLongError extends Error {
  override readonly name = 'MessageTooLongError';
  readonly maxBytes: number;

  constructor(who: string, maxBytes: number) {
    super(`${who} sent a message longer than ${messageLimit(maxBytes)}; ask for less at once`);
    this.maxBytes = maxBytes;
  }
}
