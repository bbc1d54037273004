import type { Io } from './io.ts';

export interface Command {
  readonly name: string;
  /** What `holdfast <name> --help` prints. */
  readonly help: string;
  readonly options: OptionKinds;
  /** Returns the exit code. */
  run(given: Arguments, io: Io): Promise<number>;
}

/** The options of a command by name, without the dashes. */
export type OptionKinds = Readonly<Record<string, OptionKind>>;

export type OptionKind =
  | 'flag'
  /** Where it is given twice, the last one holds. */
  | 'value'
  /** A value that may be given several times; all of them hold, in their order. */
  | 'values'
  /** A value that may be left out. Behind a space only `words` are taken for one: else it is the next argument. */
  | { readonly words: readonly string[]; readonly alone: string };

/** What was given on the command line, checked against the options of the command. */
export interface Arguments {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Those of options that may be given several times. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  /** Those of them that stand behind `--`, where nothing is an option; undefined without `--`. */
  readonly behindDashes?: readonly string[];
}
