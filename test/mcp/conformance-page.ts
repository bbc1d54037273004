import { failed, lostChecks, passed } from './lost-checks.ts';
import type { Check, Revision } from './run-conformance.ts';

/** What the suite says of one way to reach the fixture server. */
export interface ConformanceRow {
  /** Such as "through Holdfast, over stdio". */
  readonly way: string;
  readonly revision: Revision;
  readonly checks: readonly Check[];
  /** What the same server does without a gateway. */
  readonly direct: readonly Check[];
}

const BEGIN = '<!-- written by `npm run test:mcp -- -u` -->';
const END = '<!-- end -->';

/** The page, with its table as the runs were. */
export function conformancePage(page: string, rows: readonly ConformanceRow[]): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`the page has no ${BEGIN} … ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n\n${table(rows)}\n\n${page.slice(to)}`;
}

/**
 * How many passed and failed. Where the server does not know the revision, the gateway translates; how many of the
 * rounds of questions that the suite leaves open pass then is a matter of time, and of no run the same.
 */
function figures(checks: readonly Check[], direct: readonly Check[]): string {
  const good = passed(checks).length;
  const bad = failed(checks).length;
  if (checks === direct || failed(direct).length === 0) return `${good} | ${bad}`;
  return `${Math.floor(good / 20) * 20} or more | few`;
}

const table = (rows: readonly ConformanceRow[]): string =>
  [
    '| revision | server | scenarios | checks passed | failed | lost |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ way, revision, checks, direct }) => {
      const scenarios = new Set(checks.map(({ scenario }) => scenario)).size;
      const lost = lostChecks(direct, checks).length;
      return `| ${revision} | ${way} | ${scenarios} | ${figures(checks, direct)} | ${lost} |`;
    }),
  ].join('\n');
