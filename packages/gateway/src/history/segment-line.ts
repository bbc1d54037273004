import { crc32 } from 'node:zlib';
import type { JsonObject } from '@holdfast/core';
import { isObject } from '../proxy/json/json-fields.ts';

/** One record in a segment. */
export interface SegmentLine {
  readonly at: number;
  readonly number: number;
  readonly about: JsonObject;
}

const LINE = /^([0-9a-f]{8}) (\{.*\})$/;

/** A checksum, a space, JSON and a line feed, of which JSON has none. */
export function writeSegmentLine({ at, number, about }: SegmentLine): string {
  const json = JSON.stringify({ at, number, ...about });
  return `${checksumOf(json)} ${json}\n`;
}

/** A line without its line feed. Undefined where it is not whole: a process was killed, or a disk full, while it was written. */
export function readSegmentLine(line: string): SegmentLine | undefined {
  const [, checksum, json] = LINE.exec(line) ?? [];
  if (json === undefined || checksumOf(json) !== checksum) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(read)) return undefined;
  const { at, number, ...about } = read;
  return typeof at === 'number' && typeof number === 'number' ? { at, number, about } : undefined;
}

function checksumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
