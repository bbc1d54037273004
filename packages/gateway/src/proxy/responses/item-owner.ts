import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers that say who a client is. */
const CREDENTIALS: readonly string[] = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-holdfast-token',
  'openai-organization',
  'openai-project',
];

/** Whom an item belongs to: the credentials of a client and the address of an upstream, as a hash of both. */
export function itemOwner(headers: Readonly<IncomingHttpHeaders>, upstreamUrl: string): string {
  const shown = CREDENTIALS.map((name) => headers[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([upstreamUrl, shown]))
    .digest('base64url')
    .slice(0, OWNER_LENGTH);
}

/** 132 bits. */
const OWNER_LENGTH = 22;
