/** The entry of that very name, else that of the first pattern that fits. */
export function entryFor<Value>(
  entries: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  if (Object.hasOwn(entries, name)) return entries[name];
  return Object.entries(entries).find(([pattern]) => matchesPattern(pattern, name))?.[1];
}

/** Whether `name` fits a pattern in which `*` stands for any characters, none too. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  // The earliest place of each piece leaves the most room for those behind it.
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}
