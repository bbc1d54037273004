import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';

/** A session of days is not read from its beginning at every call. */
const MOST_BYTES = 256 * 1024;

/**
 * The objects at the end of a file that has one on each line, as agents write what happened in a session. A line
 * that is cut or is no object is left out. Undefined where there is no such file: links are not followed, and what
 * is no file is not read, for a pipe would be waited for.
 */
export function readLastLines(path: string): readonly JsonObject[] | undefined {
  const text = readEnd(path);
  return text?.split('\n').flatMap((line) => {
    const entry = parsed(line);
    return entry === undefined ? [] : [entry];
  });
}

function readEnd(path: string): string | undefined {
  if (path === '') return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, FLAGS);
    const about = fstatSync(file);
    if (!about.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(about.size, MOST_BYTES));
    const length = readSync(file, bytes, 0, bytes.length, about.size - bytes.length);
    return bytes.toString('utf8', 0, length);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// Windows has neither of the last two: undefined adds no bits.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function parsed(line: string): JsonObject | undefined {
  // Most of what a cut leaves is not worth the try.
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
