/** More would be a list, not a hint. */
const MOST = 3;

/** Words that say nothing of what a tool does. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(['api', 'tool', 'mcp', 'the', 'a', 'of']);

/** Only such names are repeated to a model: any other may be a sentence. */
const PLAIN_NAME = /^[\w.:/-]{1,128}$/;

/**
 * Tools of the same server that may do what another does, by their names: one name has all the words of the other, or they begin
 * with the same word and share half of them. `delete_file` is nothing to use in place of `read_file`.
 */
export function nearTools(
  name: string,
  others: readonly string[],
  /** What names may begin with that says only which server has the tool. */
  prefix: string,
): readonly string[] {
  const withoutServer = (full: string): string =>
    full.startsWith(prefix) ? full.slice(prefix.length) : full;
  const wanted = wordsOf(withoutServer(name));
  if (wanted.length === 0) return [];
  return others
    .filter((other) => other !== name && PLAIN_NAME.test(other))
    .map((other) => ({ other, nearness: nearness(wanted, wordsOf(withoutServer(other))) }))
    .filter(({ nearness: near }) => near > 0)
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, MOST)
    .map(({ other }) => other);
}

/** 0 for what is not near, 1 for the same words. */
function nearness(wanted: readonly string[], words: readonly string[]): number {
  const shared = wanted.filter((word) => words.includes(word)).length;
  const fewest = Math.min(wanted.length, words.length);
  if (shared === 0) return 0;
  const isNear = shared === fewest || (wanted[0] === words[0] && shared * 2 >= fewest);
  return isNear ? shared / (wanted.length + words.length - shared) : 0;
}

/** `readFiles` and `read_file` are the same words. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .slice(0, 128)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word))
    .filter((word) => word !== '' && !EMPTY_WORDS.has(word));
  return [...new Set(words)];
}
