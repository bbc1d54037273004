import type { JsonObject, JsonValue } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { textBlock } from '../messages.ts';
import type { CallResult } from '../messages.ts';
import { cutText } from './cut-text.ts';

/** How much of a result is missing, for `_meta`. */
export interface Truncation extends JsonObject {
  readonly bytes_left_out: number;
  /** Blocks that are missing in whole. */
  readonly blocks_left_out: number;
  readonly max_bytes: number;
}

/** What a block costs besides what it holds: thousands of empty ones are not for nothing. */
const BLOCK_BYTES = 16;

/**
 * The rule for results that are too large: blocks are kept in order as long as they fit into `maxBytes`
 * together. The first text that does not is cut at a line; whatever else does not fit is left out. A note
 * stands in the place of what is missing, and says how much that is. `structuredContent` is never touched.
 * Undefined where all of it fits.
 */
export function cutResult(
  result: CallResult,
  maxBytes: number,
): { readonly content: readonly JsonObject[]; readonly truncation: Truncation } | undefined {
  // Servers send what they like.
  const content = listOf(result.content);
  if (fits(content, maxBytes)) return undefined;
  const cut = new ContentCut(maxBytes);
  for (const block of content) cut.add(objectOf(block));
  return cut.end();
}

/** Most results are small, and to know that their characters need not be looked at: none takes more than three bytes. */
function fits(content: readonly JsonValue[], maxBytes: number): boolean {
  let most = 0;
  for (const block of content) {
    for (const text of heldBy(objectOf(block))) most += text.length * 3;
    most += BLOCK_BYTES;
  }
  if (most <= maxBytes) return true;
  let bytes = 0;
  for (const block of content) bytes += bytesOf(objectOf(block));
  return bytes <= maxBytes;
}

class ContentCut {
  readonly #maxBytes: number;
  readonly #kept: JsonObject[] = [];
  #leftBytes: number;
  #isTextCut = false;
  /** What was left out since the last block that was kept. */
  #missingBytes = 0;
  #missing: string[] = [];
  #bytesLeftOut = 0;
  #blocksLeftOut = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#leftBytes = maxBytes;
  }

  add(block: JsonObject): void {
    const bytes = bytesOf(block);
    const isText = block['type'] === 'text';
    // What comes after a cut would be read as what comes next.
    if (bytes <= this.#leftBytes && !(isText && this.#isTextCut)) {
      this.#note();
      this.#kept.push(block);
      this.#leftBytes -= bytes;
      return;
    }
    const start = isText && !this.#isTextCut ? this.#startOf(textOf(block['text'])) : '';
    if (isText) this.#isTextCut = true;
    if (start === '') this.#blocksLeftOut++;
    else {
      this.#note();
      this.#kept.push({ ...block, text: start });
    }
    const startBytes = Buffer.byteLength(start);
    this.#leftBytes -= startBytes;
    this.#missing.push(isText ? 'text' : kindOf(block));
    this.#missingBytes += bytes - startBytes;
  }

  end(): { readonly content: readonly JsonObject[]; readonly truncation: Truncation } {
    this.#note();
    return {
      content: this.#kept,
      truncation: {
        bytes_left_out: this.#bytesLeftOut,
        blocks_left_out: this.#blocksLeftOut,
        max_bytes: this.#maxBytes,
      },
    };
  }

  #startOf(text: string): string {
    return cutText(text, Math.max(0, this.#leftBytes - BLOCK_BYTES));
  }

  #note(): void {
    if (this.#missing.length === 0) return;
    const what = [...new Set(this.#missing)].join(', ');
    const size = sizeText(this.#missingBytes);
    const most = sizeText(this.#maxBytes);
    this.#kept.push(
      textBlock(
        `[${size} left out here (${what}): a result may have ${most}. ` +
          'Ask for less at once: a smaller range, fewer items or a narrower filter.]',
      ),
    );
    this.#bytesLeftOut += this.#missingBytes;
    this.#missingBytes = 0;
    this.#missing = [];
  }
}

/** The texts that make up the size of a block: text, or data in Base64; of an embedded resource, those of it. */
function heldBy(block: JsonObject): readonly string[] {
  const { type, text, data, resource } = block;
  if (type === 'text') return [textOf(text)];
  if (type === 'resource')
    return [textOf(objectOf(resource)['text']), textOf(objectOf(resource)['blob'])];
  return [textOf(data)];
}

function bytesOf(block: JsonObject): number {
  return heldBy(block).reduce((sum, text) => sum + Buffer.byteLength(text), BLOCK_BYTES);
}

function kindOf({ type }: JsonObject): string {
  return type === 'image' || type === 'audio' || type === 'resource' ? type : 'other content';
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${rounded(kilobytes)} KB` : `${rounded(kilobytes / 1024)} MB`;
}

function rounded(value: number): number {
  return value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
}
