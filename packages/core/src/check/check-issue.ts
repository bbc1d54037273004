import { showPath } from '../internal/schema-problem.ts';
import type { ProblemCode, SchemaProblem, ValuePath } from '../internal/schema-problem.ts';
import { nearestNames } from '../internal/tool-names.ts';

/** What does not fit. */
export type CheckIssueCode =
  | 'unknown-tool'
  | 'unknown-argument'
  | 'missing-argument'
  | 'wrong-type'
  | 'wrong-value'
  | 'out-of-range'
  | 'wrong-pattern'
  | 'duplicate-items'
  | 'no-match'
  | 'too-complex'
  | 'unsupported-keyword';

/** One thing that is wrong with a call, or with the schema it was held against. */
export interface CheckIssue {
  readonly code: CheckIssueCode;
  /** Where in the arguments: keys and positions from the outside in. Empty for the call as a whole. */
  readonly path: readonly (string | number)[];
  /** All of it in one sentence that a model can act on. */
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  /** The tool, argument or value that was probably meant. */
  readonly suggestion?: string;
}

const CODES: Readonly<Record<ProblemCode, CheckIssueCode>> = {
  'wrong-type': 'wrong-type',
  'wrong-value': 'wrong-value',
  missing: 'missing-argument',
  'unknown-key': 'unknown-argument',
  'out-of-range': 'out-of-range',
  'wrong-pattern': 'wrong-pattern',
  'duplicate-items': 'duplicate-items',
  'no-match': 'no-match',
};

/** Tells a problem of the arguments, with the name or value that was probably meant. */
export function toCheckIssue(problem: SchemaProblem): CheckIssue {
  const { code, path, expected, received } = problem;
  const suggestion = suggest(problem);
  return {
    code: CODES[code],
    path,
    message: messageOf(problem, suggestion),
    expected,
    received,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function messageOf({ code, path, expected, received }: SchemaProblem, near?: string): string {
  const where = nameOf(path);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  if (code === 'unknown-key') return `${where} is not known: expected ${expected}${hint}`;
  if (code !== 'missing') return `${where}: expected ${expected}, got ${received}${hint}`;
  const written = near === undefined ? '' : `; is ${near} meant to be it?`;
  return `${where} is missing: expected ${expected}${written}`;
}

function nameOf(path: ValuePath): string {
  return path.length === 0 ? 'the arguments' : showPath(path);
}

/** The known name nearest to what was written; for a missing name, the written one nearest to it. */
function suggest({ code, path, received, known = [] }: SchemaProblem): string | undefined {
  const last = path.at(-1);
  const isName = code === 'unknown-key' || code === 'missing';
  if (isName) return typeof last === 'string' ? nearestNames(last, known)[0] : undefined;
  const text = /^the string "(.*)"$/s.exec(received)?.[1];
  return text === undefined ? undefined : nearestNames(text, known)[0];
}
