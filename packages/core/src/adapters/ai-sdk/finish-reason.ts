/**
 * Why an answer ended: a word in the specification's version 2, and since version 3 the word under `unified`
 * with the provider's own beside it.
 */
function wordOf(reason: unknown): string {
  if (typeof reason === 'string') return reason;
  const unified: unknown =
    typeof reason === 'object' && reason !== null && 'unified' in reason ? reason.unified : '';
  return typeof unified === 'string' ? unified : '';
}

/** Whether the model did not end its answer itself. Providers say `other` where the connection ended early. */
export function isCutBy(reason: unknown): boolean {
  const word = wordOf(reason);
  return word !== 'stop' && word !== 'tool-calls';
}

/** The reason that fits an answer with calls in it; the very same where it fits already. */
export function reasonFor(reason: unknown, callCount: number): unknown {
  if (callCount === 0 || wordOf(reason) !== 'stop') return reason;
  return typeof reason === 'object' ? { ...reason, unified: 'tool-calls' } : 'tool-calls';
}
