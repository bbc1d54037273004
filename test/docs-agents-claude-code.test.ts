import { describe, expect, test } from 'vitest';
import { EMPTY_MEMORY } from '../packages/gateway/src/agents/hook/hook-memory.ts';
import { foldMoment } from '../packages/gateway/src/agents/hook/fold-moment.ts';
import { claudeCodeHost } from '../packages/gateway/src/agents/claude-code/claude-code-host.ts';
import {
  CLAUDE_CODE_EVENTS,
  claudeCodeHook,
  OLDEST_CLAUDE_CODE,
} from '../packages/gateway/src/agents/claude-code/claude-code-hooks.ts';
import {
  postToolBatch,
  postToolUseFailure,
} from '../packages/gateway/src/agents/claude-code/claude-code-payloads.case.ts';
import { readPage } from './support/markdown.ts';
import { tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/agents-claude-code.md';
const page = readText(PAGE);

/** The examples in JSON, in the order of the page. */
const [entry, printed] = readPage(page)
  .fences.filter(({ language }) => language === 'json')
  .map(({ body }) => JSON.parse(body.join('\n')) as unknown);

describe(PAGE, () => {
  test('shows an entry as it is installed', () => {
    const hook = claudeCodeHook({
      scope: 'user',
      project: '',
      home: '',
      env: {},
      root: '',
      node: '/usr/bin/node',
      script: '/usr/lib/node_modules/holdfast/bin/holdfast.js',
      veto: false,
    });

    expect(entry).toEqual({ matcher: '*', hooks: [hook] });
  });

  test('lists the hooks that it has, and says which Claude Code it needs', () => {
    const rows = tableRows(PAGE, '| hook | what it is for |').map(([hook]) => hook);

    expect(rows).toEqual(CLAUDE_CODE_EVENTS.map((event) => `\`${event}\``));
    expect(page).toContain(`needs Claude Code ${OLDEST_CLAUDE_CODE} or newer`);
  });

  test('shows what the hook prints, and how the model gets it', async () => {
    let memory = EMPTY_MEMORY;
    for (const id of ['toolu_1', 'toolu_2']) {
      const moment = await claudeCodeHost.read(postToolUseFailure({ tool_use_id: id }));
      ({ memory } = foldMoment(memory, moment!, false));
    }
    const batch = postToolBatch([]);
    const { answer } = foldMoment(memory, (await claudeCodeHost.read(batch))!, false);

    expect(JSON.parse(claudeCodeHost.write(batch, answer!))).toEqual(printed);
    expect(page).toContain(`PostToolBatch hook additional context: ${answer!.advice!}\n`);
  });
});
