import { isUtf8 } from 'node:buffer';

/** Bytes that are no UTF-8. */
export class InvalidUtf8Error extends Error {
  constructor(offset: number, problem: string) {
    super(`not valid UTF-8: ${problem} at byte offset ${offset}`);
  }
}

/**
 * Turns bytes into text as they arrive. Unlike a fatal `TextDecoder` it can say where the bytes go wrong. A
 * byte order mark at the start is left out.
 */
export class Utf8Reader {
  #pending: Buffer = Buffer.alloc(0);
  /** Offset of the first pending byte. */
  #offset = 0;

  write(chunk: Uint8Array): string {
    const bytes = Buffer.concat([this.#pending, chunk]);
    const whole = bytes.subarray(0, wholeLength(bytes));
    if (!isUtf8(whole)) {
      const at = firstInvalid(whole);
      throw new InvalidUtf8Error(this.#offset + at, `unexpected byte ${hex(whole[at])}`);
    }
    const text = whole.toString('utf8');
    const isStart = this.#offset === 0;
    this.#pending = bytes.subarray(whole.length);
    this.#offset += whole.length;
    return isStart && text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  end(): void {
    if (this.#pending.length > 0)
      throw new InvalidUtf8Error(this.#offset, 'the input ends inside a character');
  }
}

/** Length without a character at the end that may still be going on. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function firstInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] ?? 0;
    const length = sequenceLength(first);
    if (first >= 0x80 && !isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** As the first byte announces it. */
function sequenceLength(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function hex(byte: number | undefined): string {
  return `0x${(byte ?? 0).toString(16).padStart(2, '0')}`;
}
