/** Whether what has this name (a header, a field, a variable) is a secret. `max_tokens` is none. */
export function isSecretName(name: string): boolean {
  return (
    /authorization|cookie|api[-_]?key|passw(?:or)?d|passphrase|secret|credential|private[-_]?key/i.test(
      name,
    ) || /(?:^|[-_]|access|auth|refresh|id)token$/i.test(name)
  );
}
