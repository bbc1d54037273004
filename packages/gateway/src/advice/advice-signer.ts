import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs advice that comes back with a conversation, where a client says which call of its model it is for. A
 * signature is a keyed hash of the id of that call and the text: a gateway with the key recognizes the text, and on
 * another call the signature is invalid.
 */
export class AdviceSigner {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The line that follows the text. */
  sign(text: string, callId: string): string {
    const signature = createHmac('sha256', this.#key)
      .update(JSON.stringify([callId, text]))
      .digest('base64url');
    return `[holdfast signature ${signature.slice(0, SIGNATURE_LENGTH)}]`;
  }

  /** Whether a text ends with the signature of what comes before it. */
  isSigned(text: string, callId: string): boolean {
    const at = text.lastIndexOf('\n');
    if (at < 0 || callId === '') return false;
    const given = Buffer.from(text.slice(at + 1));
    const wanted = Buffer.from(this.sign(text.slice(0, at).trimEnd(), callId));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** 132 bits. */
const SIGNATURE_LENGTH = 22;
