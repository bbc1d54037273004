/** Verdicts on names that were asked about: there are few of them, and every request has the same. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_000;

/** Whether what has this name (a header, a field, a variable) is a secret. `max_tokens` is none. */
export function isSecretName(name: string): boolean {
  let isSecret = known.get(name);
  if (isSecret === undefined) {
    isSecret = NAMES.test(name) || TOKENS.test(name);
    if (known.size < MAX_KNOWN && name.length < 64) known.set(name, isSecret);
  }
  return isSecret;
}

const NAMES =
  /authorization|cookie|api[-_]?key|passw(?:or)?d|passphrase|secret|credential|private[-_]?key/i;
const TOKENS = /(?:^|[-_]|access|auth|refresh|id)token$/i;
