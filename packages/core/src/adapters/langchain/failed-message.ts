import { isRecord } from '../../advise/conversation/record.ts';
import { typeOf } from './lc-message.ts';
import type { LcMessage } from './lc-message.ts';
import { plainText } from './mend-generation.ts';

/** A result that a tool itself calls an error, in the shape that guard reads. */
export class FailedMessage {
  readonly isError = true;
  readonly content: string;
  readonly message: LcMessage;

  constructor(message: LcMessage) {
    this.content = plainText(message['content']);
    this.message = message;
  }

  /** What a tool returned, marked where it is an error. */
  static from(value: unknown): unknown {
    const isError = isRecord(value) && typeOf(value) === 'tool' && value['status'] === 'error';
    return isError ? new FailedMessage(value) : value;
  }

  static release(value: unknown): unknown {
    return value instanceof FailedMessage ? value.message : value;
  }
}
