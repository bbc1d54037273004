import { describe, expect, it } from 'vitest';
import { ADVICE_MAP, ADVISOR_DEFAULTS } from '@holdfast/core/advise';
import { LOOPING_AGENTS } from '../packages/core/src/advise/looping-agents.case.ts';
import { RULE_RANKS } from '../packages/core/src/advise/said.ts';
import { code, defaultsIn, tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

const codes = (cell: string): string[] => cell.split(', ').map(code);

describe('tables on the advisor in the docs', () => {
  it('state the options that are in force', () => {
    const header = '| option | default | what it does |';
    expect(defaultsIn('docs/advisor.md', header)).toEqual(ADVISOR_DEFAULTS);
  });

  it('list the rules, the more urgent ones further down', () => {
    const rules = tableRows('docs/advisor.md', '| rule | when |').map(([cell]) => code(cell!));
    const ranks = rules.map((rule) => RULE_RANKS[rule as keyof typeof RULE_RANKS]);
    expect([...rules].sort()).toEqual(Object.keys(RULE_RANKS).sort());
    expect([...ranks].sort((one, other) => one - other)).toEqual(ranks);
  });

  it('list what there is advice for', () => {
    const rows = tableRows('docs/advisor.md', '| tool | types with advice of their own |');
    const listed = rows.flatMap(([tool, types]) =>
      codes(types!).map((type) => `${code(tool!)} ${type}`),
    );
    expect(listed).toEqual(ADVICE_MAP.map(({ tool, type }) => `${tool} ${type}`));
  });

  it('count the scripted agents', () => {
    expect(readText('docs/loops.md')).toContain(`has ${LOOPING_AGENTS.length} scripted agents`);
  });
});
