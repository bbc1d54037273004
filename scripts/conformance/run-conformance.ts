import { parseArgs } from 'node:util';
import { BadInputError } from './bad-input-error.ts';
import { readVectors } from './read-vectors.ts';
import { passRates, reportLines } from './report.ts';
import { runVectors } from './tally.ts';

const USAGE = `usage: npm run conformance -- <folder or file> [--min <percent>] [--format <name>] [--verbose]`;

interface Arguments {
  readonly path: string;
  readonly min: number | undefined;
  readonly format: string | undefined;
  readonly isVerbose: boolean;
}

/** Runs the command. Returns its exit code: 1 when a share is below `--min`, 2 on bad input. */
export function runConformance(args: readonly string[], print: (line: string) => void): number {
  try {
    const { path, min, format, isVerbose } = readArguments(args);
    const tally = runVectors(readVectors(path), format);
    if (Object.values(tally).every(({ length }: readonly unknown[]) => length === 0))
      throw new BadInputError(`no vector has the format or kind ${JSON.stringify(format)}`);
    for (const line of reportLines(tally, isVerbose)) print(line);
    if (min === undefined) return 0;
    const low = passRates(tally).filter(({ percent }) => percent < min);
    for (const { name, percent } of low)
      print(`${name}: ${percent.toFixed(1)} % is below ${min} %`);
    return low.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    print(error.message);
    return 2;
  }
}

function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0)
    throw new BadInputError(`expected one folder or file\n${USAGE}`);
  const min = values.min === undefined ? undefined : Number(values.min);
  if (min !== undefined && !(min >= 0 && min <= 100))
    throw new BadInputError(`--min: expected a percentage from 0 to 100, got ${values.min}`);
  return { path, min, format: values.format, isVerbose: values.verbose === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        min: { type: 'string' },
        format: { type: 'string' },
        verbose: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new BadInputError(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  }
}
