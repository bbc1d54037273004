/** What stands where a secret was. */
export const REDACTED = '***';

/** `text` without any of `secrets`. */
export function maskValues(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, REDACTED);
  return masked;
}

/** What people write where a local server needs no key. To mask these would take `lm-studio` out of every model name. */
const PLACEHOLDERS = new Set(['lm-studio', 'not-needed', 'dummy-key', 'placeholder', 'anything']);

/** Secrets that can be looked for in texts; a short one would be found in words that mean nothing of it. */
export function usableSecrets(secrets: Iterable<string>): readonly string[] {
  return (
    [...new Set(secrets)]
      .filter((secret) => secret.length >= 8 && !PLACEHOLDERS.has(secret))
      // One that begins with another is taken out whole.
      .sort((one, other) => other.length - one.length)
  );
}
