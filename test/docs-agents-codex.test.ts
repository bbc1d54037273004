import { describe, expect, test } from 'vitest';
import { codexHost } from '../packages/gateway/src/agents/codex/codex-host.ts';
import {
  CODEX_EVENTS,
  codexHook,
  hookCommand,
} from '../packages/gateway/src/agents/codex/codex-hooks.ts';
import { postPayload } from '../packages/gateway/src/agents/codex/codex-payloads.case.ts';
import { foldMoment } from '../packages/gateway/src/agents/hook/fold-moment.ts';
import { EMPTY_MEMORY } from '../packages/gateway/src/agents/hook/hook-memory.ts';
import { readPage } from './support/markdown.ts';
import { tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/agents-codex.md';

/** The examples in JSON, in the order of the page. */
const [entry, printed] = readPage(readText(PAGE))
  .fences.filter(({ language }) => language === 'json')
  .map(({ body }) => JSON.parse(body.join('\n')) as unknown);

describe(PAGE, () => {
  test('shows an entry as it is installed', () => {
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
    const command = hookCommand(context, 'linux');

    expect(entry).toEqual({ hooks: [{ ...codexHook(context), command }] });
  });

  test('lists the hooks that it has', () => {
    const rows = tableRows(PAGE, '| hook | what it is for |').map(([hook]) => hook!);

    expect(rows.toSorted()).toEqual(CODEX_EVENTS.map(({ event }) => `\`${event}\``).toSorted());
  });

  test('shows what the hook prints', async () => {
    const output = 'cat: missing.txt: No such file or directory\n';
    let memory = EMPTY_MEMORY;
    let said = '';
    for (const id of ['c1', 'c2']) {
      const payload = postPayload('Bash', { command: 'cat missing.txt' }, id, output);
      const { conversation, events, canSpeak } = (await codexHost.read(payload))!;
      expect(conversation).not.toBe('');
      const ended = events.map((event) =>
        event.kind === 'after' ? { ...event, result: { ...event.result, exitCode: 1 } } : event,
      );
      const folded = foldMoment(memory, { events: ended, canSpeak }, false);
      memory = folded.memory;
      if (folded.answer !== undefined) said = codexHost.write(payload, folded.answer);
    }

    expect(JSON.parse(said)).toEqual(printed);
  });
});
