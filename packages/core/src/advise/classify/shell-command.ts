/** The programs of a shell command, in order, each with its first word that is no option. */
export interface ShellProgram {
  /** Without its folder: `grep` for `/usr/bin/grep`. */
  readonly name: string;
  /** `diff` of `git diff`, or ''. */
  readonly subcommand: string;
}

/** Longer commands are scripts; what decides stands at their end. */
const MAX_LENGTH = 4096;

/** Words before a program that are not it. */
const PREFIXES: ReadonlySet<string> = new Set(
  'sudo time nice nohup env exec builtin then do else if while until ! ( {'.split(' '),
);

/** Programs that only prepare the next one. */
const SILENT: ReadonlySet<string> = new Set(
  'cd export set unset source . true : pushd popd umask'.split(' '),
);

/**
 * The programs a shell command runs, without those that only prepare. Quotes are followed; substitutions
 * and functions are not, since all that is wanted is a guess at whose exit code and output it is.
 */
export function programsOf(command: string): readonly ShellProgram[] {
  const programs: ShellProgram[] = [];
  for (const words of segmentsOf(command.slice(-MAX_LENGTH))) {
    const own = words.filter((word) => !/^\w+=/.test(word));
    while (own[0] !== undefined && PREFIXES.has(own[0])) own.shift();
    const [first, ...rest] = own;
    if (first === undefined || SILENT.has(first)) continue;
    const name = first.slice(first.lastIndexOf('/') + 1);
    programs.push({ name, subcommand: rest.find((word) => !word.startsWith('-')) ?? '' });
  }
  return programs;
}

/** The words of each part between `;`, `|`, `&` and line ends. */
function segmentsOf(command: string): string[][] {
  const segments: string[][] = [[]];
  let word = '';
  let quote = '';
  const endWord = (): void => {
    if (word !== '') segments.at(-1)?.push(word);
    word = '';
  };
  for (const character of command) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ' ' || character === '\t') endWord();
    else if (';|&\n'.includes(character)) {
      endWord();
      segments.push([]);
    } else word += character;
  }
  endWord();
  return segments;
}
