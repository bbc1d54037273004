/** `; did you mean parse?` when one of the known words is near, else nothing. */
export function didYouMean(written: string, known: readonly string[]): string {
  const near = nearest(written, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** The known word with the fewest edits from the written one, if they are few. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(written.length / 3));
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    if (Math.abs(word.length - written.length) > most) continue;
    const distance = editDistance(written, word);
    if (distance <= most && distance < (best?.distance ?? Infinity)) best = { word, distance };
  }
  return best?.word;
}

/** Insertions, removals, changes and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? Infinity;
}
