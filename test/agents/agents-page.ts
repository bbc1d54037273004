/** What became of one prompt. */
export interface AgentRun {
  readonly printed: string;
  /** How often the model was asked. */
  readonly asked: number;
  /** What it printed has the call in it. */
  readonly isShown: boolean;
  /** What the file holds that the tool was to write. */
  readonly wrote: string | undefined;
  /** The model was told what the tool printed. */
  readonly cameBack: boolean;
}

export interface AgentRow {
  readonly agent: string;
  readonly dialect: string;
  readonly direct: AgentRun;
  readonly through: AgentRun;
}

const BEGIN = '<!-- written by `npm run test:agents -- -u` -->';
const END = '<!-- end -->';

/** The page, with its table as the runs were. */
export function agentsPage(page: string, rows: readonly AgentRow[]): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error(`docs/agents.md has no ${BEGIN} … ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n\n${table(rows)}\n\n${page.slice(to)}`;
}

const table = (rows: readonly AgentRow[]): string =>
  [
    '| agent | the model writes | direct | through Holdfast |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ agent, dialect, direct, through }) =>
        `| ${agent} | [${dialect}](formats/${dialect}.md) | ${tell(direct)} | ${tell(through)} |`,
    ),
  ].join('\n');

function tell({ isShown, wrote, cameBack }: AgentRun): string {
  if (wrote === undefined)
    return isShown ? 'nothing runs, the call is shown as text' : 'nothing runs';
  return cameBack ? 'the tool runs, and the model gets its result' : 'the tool runs';
}
