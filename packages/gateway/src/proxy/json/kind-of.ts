/** What a value from outside is, in words for a message: `a list`, `an empty text`, `nothing`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
