import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/repository.ts';
import type { CallsOutcome } from './calls-outcome.ts';
import { describeRun } from './describe-run.ts';
import type { RunDescription } from './describe-run.ts';
import type { SoakOutcome } from './soak-outcome.ts';
import { summariseOutcome } from './summarise-outcome.ts';

/** What a run came to, of whichever kind. */
export type Outcome = SoakOutcome | CallsOutcome;

/** The runs of a day, the last one of each kind. */
type Kept = Readonly<Partial<Record<Kind, RunDescription & Outcome>>>;

const KINDS = ['faults', 'calls-process', 'calls-gateway'] as const;
type Kind = (typeof KINDS)[number];

const HEADINGS: Readonly<Record<Kind, string>> = {
  faults: 'Faults',
  'calls-process': 'Many calls, in one process',
  'calls-gateway': 'Many calls, through the gateway',
};

/**
 * Keeps what a run came to in the files of the day, in the place of an earlier one of its kind. Returns the path of
 * the one for people.
 */
export function keepResults(outcome: Outcome, folder = join(root, 'soak', 'results')): string {
  const day = new Date().toISOString().slice(0, 10);
  const [json, markdown] = [join(folder, `${day}.json`), join(folder, `${day}.md`)];
  mkdirSync(folder, { recursive: true });
  const kept: Kept = { ...readKept(json), [kindOf(outcome)]: { ...describeRun(), ...outcome } };
  writeFileSync(json, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(markdown, pageOf(day, kept));
  return markdown;
}

const kindOf = (outcome: Outcome): Kind => ('part' in outcome ? `calls-${outcome.part}` : 'faults');

function readKept(path: string): Kept {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept;
  } catch {
    // The first of the day.
    return {};
  }
}

function pageOf(day: string, kept: Kept): string {
  const sections = KINDS.flatMap((kind) => {
    const run = kept[kind];
    if (run === undefined) return [];
    const { node, commit, machine } = run;
    const where = [`Node ${node}`, ...(commit === undefined ? [] : [`commit ${commit}`]), machine];
    return `## ${HEADINGS[kind]}\n\n${where.join('; ')}.\n\n${summariseOutcome(run)}\n\n${verdictOf(run)}`;
  });
  return `${[`# Soak runs of ${day}`, ...sections].join('\n\n')}\n`;
}

function verdictOf({ violations }: Outcome): string {
  if (violations.length === 0) return 'No violations.';
  const lines = violations.map(
    ({ invariant, atSeconds, message }) => `- ${invariant} at ${atSeconds} s: ${message}`,
  );
  return [`${violations.length} violations:`, '', ...lines].join('\n');
}
