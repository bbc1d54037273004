import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { geminiHook, GEMINI_HOOKS } from '../packages/gateway/src/agents/gemini/gemini-hooks.ts';
import { geminiHost } from '../packages/gateway/src/agents/gemini/gemini-host.ts';
import {
  afterTool,
  FILE_NOT_FOUND,
  MISSING,
  shellResponse,
} from '../packages/gateway/src/agents/gemini/gemini-payloads.case.ts';
import { foldMoment } from '../packages/gateway/src/agents/hook/fold-moment.ts';
import { EMPTY_MEMORY } from '../packages/gateway/src/agents/hook/hook-memory.ts';
import { readPage } from './support/markdown.ts';
import { tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/agents-gemini.md';

/** The examples in JSON, in the order of the page. */
const [entry, printed, denied] = readPage(readText(PAGE))
  .fences.filter(({ language }) => language === 'json')
  .map(({ body }) => JSON.parse(body.join('\n')) as unknown);

/** What the hook prints when a call has ended this way for the second time. */
async function printedTwice(payload: JsonObject): Promise<unknown> {
  const moment = (await geminiHost.read(payload))!;
  const { memory } = foldMoment(EMPTY_MEMORY, moment, false);
  const { answer } = foldMoment(memory, moment, false);
  return JSON.parse(geminiHost.write(payload, answer!));
}

describe(PAGE, () => {
  test('shows a hook as it is installed', () => {
    const context = {
      scope: 'user',
      project: '',
      home: '',
      env: {},
      root: '',
      node: '/usr/bin/node',
      script: '/usr/lib/node_modules/holdfast/bin/holdfast.js',
      veto: false,
    } as const;
    const command = `'${context.node}' '${context.script}' hook gemini || true`;
    const hook = { ...geminiHook('holdfast-after', context), command };

    expect(entry).toEqual({ matcher: '*', hooks: [hook] });
  });

  test('lists the hooks that it has', () => {
    const rows = tableRows(PAGE, '| hook | name | what it is for |').map(([hook, name]) => [
      hook,
      name,
    ]);

    expect(rows).toEqual(GEMINI_HOOKS.map(({ event, name }) => [`\`${event}\``, `\`${name}\``]));
  });

  test('shows what the hook prints', async () => {
    const failed = afterTool(shellResponse(MISSING, 'Exit Code: 1'));
    expect(printed).toEqual(await printedTwice(failed));

    const reported = afterTool(FILE_NOT_FOUND, {
      tool_name: 'read_file',
      tool_input: { file_path: 'nope.txt' },
    });
    expect(denied).toEqual(await printedTwice(reported));
  });
});
