import type { IncomingHttpHeaders } from 'node:http';
import { isSecretName } from './secret-names.ts';

/** The keys and tokens a client sent with a request, so that they can be kept out of all that is written of it. */
export function credentialsIn(headers: Readonly<IncomingHttpHeaders>): readonly string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isSecretName(name)) continue;
    for (const text of typeof value === 'string' ? [value] : value) {
      // `Bearer key`: the key is secret with the scheme and without it.
      found.push(text.slice(text.indexOf(' ') + 1));
    }
  }
  return found;
}
