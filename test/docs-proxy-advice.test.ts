import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import { describe, expect, test } from 'vitest';
import { adviseRequest } from '../packages/gateway/src/proxy/advise/advise-request.ts';
import { bash, SHAPES } from '../packages/gateway/src/proxy/advise/conversations.case.ts';
import { unfitAnswer } from '../packages/gateway/src/proxy/advise/unfit-answer.ts';
import { root } from './support/repository.ts';
import { tableRows } from './support/markdown-tables.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';

const page = readFileSync(join(root, 'docs', 'proxy-advice.md'), 'utf8');

describe('docs/proxy-advice.md', () => {
  test.each(SHAPES)('shows what is added to a result of $name', ({ editor, write, contents }) => {
    const missing = [bash('cat notes.md', 'cat: notes.md: No such file or directory')];
    const advised = adviseRequest(write([missing, missing]), editor)!;
    expect(page).toContain(JSON.stringify(contents(advised.body)[1]));
  });

  test('shows what the model is told of a call that does not fit', () => {
    const call = { name: 'read_file', arguments: { lines: 3 } as JsonObject };
    const checked = checkToolCall(
      call,
      SAMPLE_TOOLS.map(({ function: tool }) => tool),
    );
    const problem = checked.ok ? '' : checked.message;
    const told = { index: 0, id: 'call_1', json: '', format: 'native', repairs: [], problem };
    expect(page).toContain(JSON.stringify(unfitAnswer('', [{ ...call, ...told }])?.results[0]));
  });

  test('lists the rules of the advisor that speak of a conversation', () => {
    const rows = (file: string): string[] =>
      tableRows(file, '| rule | when |').map(([rule]) => rule!);
    // Nothing is stopped here, so there is nothing to ask the user about.
    const spoken = rows('docs/advisor.md').filter((rule) => rule !== '`ask-the-user`');
    expect(rows('docs/proxy-advice.md')).toEqual(spoken);
  });
});
