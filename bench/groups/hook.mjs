import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figure, OURS } from '../harness/figures.mjs';
import { digits, spread } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';

export const about =
  'What a run of `holdfast hook` adds to a tool call of an agent, as a process of its own from its start to its end: beside `node -e 0`, which is what starting Node alone takes. They take turns, and the shortest run of each counts. The payloads are those of Claude Code: a step that succeeded, a call that failed, and the moment after its second failure, at which there is advice. Budget: at most 60 ms over starting Node.';

const MAX_ADDED_MS = 60;
const bin = fileURLToPath(new URL('../../packages/gateway/bin/holdfast.js', import.meta.url));

const BASE = { name: 'node -e 0', args: ['-e', '0'], payload: () => '', isRight: () => true };

const hooks = [
  {
    name: 'a step that succeeded',
    payload: (turn) => batch(turn, [{ id: `ok-${turn}`, command: `echo ${turn}`, output: 'done' }]),
    isRight: (output) => output === '',
  },
  { name: 'a call that failed', payload: failure, isRight: (output) => output === '' },
  {
    name: 'advice after its second failure',
    // In the same session as the failures before it, which had to wait for it.
    payload: (turn) => batch(turn, []),
    prepare: (turn, run) => run(failure(turn, 'again')),
    isRight: (output) => output.includes('additionalContext'),
  },
].map((hook) => ({ ...hook, args: [bin, 'hook', 'claude-code'] }));

function failure(turn, id = 'first') {
  return JSON.stringify({
    session_id: `failing-${turn}`,
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_use_id: `toolu_${turn}_${id}`,
    tool_input: { command: 'cat missing.txt' },
    error: 'Exit code 1\ncat: missing.txt: No such file or directory',
    is_interrupt: false,
  });
}

function batch(turn, calls) {
  return JSON.stringify({
    session_id: `failing-${turn}`,
    hook_event_name: 'PostToolBatch',
    tool_calls: calls.map(({ id, command, output }) => ({
      tool_name: 'Bash',
      tool_use_id: id,
      tool_input: { command },
      tool_response: { stdout: output, stderr: '', interrupted: false },
    })),
  });
}

function start(args, input, folder) {
  const env = { ...process.env, HOLDFAST_STATE_DIR: folder };
  const from = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { input, env, encoding: 'utf8' });
  return { ms: performance.now() - from, output: stdout, isWell: status === 0 };
}

/** `turns` may be fewer, to see whether it works at all. */
export function run({ turns = 30 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const contestants = [BASE, ...hooks].map((one) => ({ ...one, times: new Turns(), right: true }));
  try {
    for (let turn = 0; turn < turns; turn++)
      for (const one of contestants) {
        one.prepare?.(turn, (input) => start(one.args, input, folder));
        const { ms, output, isWell } = start(one.args, one.payload(turn), folder);
        one.times.add(ms);
        one.right &&= isWell && one.isRight(output);
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const added = (one) => one.times.best - contestants[0].times.best;
  return {
    tables: [
      {
        title: 'One run of the hook',
        columns: ['what', 'ms', 'spread', 'over Node ms', 'limit'],
        rows: contestants.map((one, at) => ({
          cells: [
            one.right ? one.name : `${one.name} WRONG`,
            digits(one.times.best),
            spread(one.times),
            at === 0 ? '' : digits(added(one)),
            at === 0 ? '' : `≤ ${MAX_ADDED_MS} ms`,
          ],
          ...(at > 0 && { budgets: { hook: one.right && added(one) <= MAX_ADDED_MS } }),
        })),
      },
    ],
    figures: contestants.map(({ name, times }, at) =>
      figure(name, at === 0 ? name : OURS, 'ms', times.best, times.p90),
    ),
    results: contestants.map(({ name, times, right }) => ({ name, times, right })),
  };
}
