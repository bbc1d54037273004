import { createHash } from 'node:crypto';
import type { NamedThing } from './shown-names.ts';

/** As long as the names of tools may be that models are given. */
const MAX_LENGTH = 64;
const SHORT_HASH = 8;

/**
 * The name of a server's tool or prompt with the server in front: at most 64 of the characters that every model's
 * API takes. One that is too long is cut, and a hash of all of it takes the place of the rest.
 */
export function prefixedName(
  { server, name }: NamedThing,
  separator: string,
  hashLength: number,
): string {
  const plain = `${server}${separator}${name}`.replaceAll(/[^\w-]/gu, '_');
  const length = plain.length > MAX_LENGTH ? Math.max(hashLength, SHORT_HASH) : hashLength;
  if (length === 0) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, name]))
    .digest('hex');
  return `${plain.slice(0, MAX_LENGTH - length - 1)}_${hash.slice(0, length)}`;
}
