import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';

/** Content of a Responses item as the parts of a Chat message: texts, images, sounds. */
export function chatPartsOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return listOf(content)
    .map(chatPart)
    .filter((part) => textOf(part['text']) !== '' || !isText(part));
}

/** All that is said in words. */
export function textOfParts(parts: readonly JsonObject[], between: string): string {
  return parts
    .filter(isText)
    .map((part) => textOf(part['text']))
    .join(between);
}

/** One text where there are only texts, as many servers take nothing else. */
export function chatContentOf(parts: readonly JsonObject[]): JsonValue {
  return parts.every(isText) ? textOfParts(parts, BETWEEN) : parts;
}

/** What stands between texts that were apart. */
export const BETWEEN = '\n\n';

/** Whether a part of a Chat message is text. */
export function isText({ type }: JsonObject): boolean {
  return type === 'text';
}

function text(words: string): JsonObject {
  return { type: 'text', text: words };
}

function chatPart(part: JsonValue): JsonObject {
  if (!isObject(part)) return text(textOf(part));
  switch (part['type']) {
    case 'input_image':
      return imagePart(part);
    case 'input_file':
      return text(fileText(part));
    case 'input_audio':
      return part;
    case 'refusal':
      return text(textOf(part['refusal']));
    default:
      return text(textOf(part['text']));
  }
}

/** An image as Chat Completions has it; the model is told of one that only the vendor's servers hold. */
function imagePart({ image_url: image, detail }: JsonObject): JsonObject {
  const url = textOf(image) || textOf(objectOf(image)['url']);
  if (url === '') return text('(an image that this server cannot load)');
  const wanted = typeof detail === 'string' && detail !== 'auto' ? { detail } : {};
  return { type: 'image_url', image_url: { url, ...wanted } };
}

/** Only text can be passed on; the model is told of what cannot, so that it can say so. */
function fileText({ filename, file_data: data }: JsonObject): string {
  const name = textOf(filename);
  const { kind, words } = readDataUrl(textOf(data));
  if (words !== undefined) return [name, words].filter((line) => line !== '').join('\n');
  const called = name === '' ? '' : ` named ${name}`;
  return `(a file${called}${kind === '' ? '' : ` of type ${kind}`} that this server cannot read)`;
}

/** The type of what a data URL holds, and its words where it is text. */
function readDataUrl(url: string): { readonly kind: string; readonly words?: string } {
  const comma = url.indexOf(',');
  if (!url.startsWith('data:') || comma < 0) return { kind: '' };
  const head = url.slice('data:'.length, comma).split(';');
  const kind = head[0] ?? '';
  if (!isReadable(kind) || head.at(-1) !== 'base64') return { kind };
  return { kind, words: Buffer.from(url.slice(comma + 1), 'base64').toString('utf8') };
}

function isReadable(kind: string): boolean {
  return kind.startsWith('text/') || kind === 'application/json';
}
