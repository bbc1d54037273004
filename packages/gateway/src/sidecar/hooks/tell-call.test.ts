import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { memoryReporter } from '../../observe/memory-reporter.case.ts';
import { createDefaultPlugins } from '../default-plugins.ts';
import { runningSidecar } from '../running-sidecar.case.ts';

const SECRET = 'CANARY-of-the-configuration';
const GOOD = { content: [{ type: 'text', text: 'done' }] };
const FAILED = {
  content: [{ type: 'text', text: `HTTP 502 Bad Gateway for ${SECRET}` }],
  isError: true,
};

async function watchedSidecar() {
  const clock = new ManualClock();
  const memory = memoryReporter(clock, 'sidecar', [SECRET]);
  const { report } = memory;
  const onEvent: Parameters<typeof createDefaultPlugins>[0]['onEvent'] = (event) =>
    report.tell(event);
  const plugins = createDefaultPlugins({ log: memoryLogger(), clock, onEvent });
  onTestFinished(plugins.close);
  const host = await plugins.host();
  const sidecar = await runningSidecar({ plugins: host, clock, report });
  const pre = (id: string): ReturnType<typeof sidecar.ask> =>
    sidecar.ask('hooks/tool_pre_invoke', { request_id: id, name: 'pay', args: { id } });
  const post = (id: string, result: JsonObject): ReturnType<typeof sidecar.ask> =>
    sidecar.ask('hooks/tool_post_invoke', { request_id: id, name: 'pay', result });
  return { ...memory, clock, plugins, sidecar, pre, post };
}

describe('those who watch are told of calls that agents tell of:', () => {
  test('how long they took, how they went, and what the model was told', async () => {
    const { clock, pre, post, events } = await watchedSidecar();
    await pre('1');
    await clock.advance(40);
    await post('1', GOOD);
    // Nobody told when this one began.
    await post('2', FAILED);
    await post('3', FAILED);
    await post('4', FAILED);
    const ended = events('call-ended');
    expect(ended[0]).toMatchObject({ id: '1', tool: 'pay', outcome: 'ok', durationMs: 40 });
    expect(ended[1]).toMatchObject({
      id: '2',
      outcome: 'failed',
      class: 'tool-error',
      failureType: 'server_error',
      message: 'HTTP 502 Bad Gateway for ***',
      durationMs: undefined,
    });
    expect(ended.find(({ advice }) => advice !== undefined)?.advice).toContain('Tool guidance');
    expect(events('advice-given').length).toBeGreaterThan(0);
  });

  test('that they were refused, and what became of the circuit', async () => {
    const { pre, post, events, plugins, timelines } = await watchedSidecar();
    for (const id of ['1', '2', '3', '4', '5']) {
      await pre(id);
      await post(id, FAILED);
    }
    await pre('6');
    expect(events('call-ended').at(-1)).toMatchObject({
      id: '6',
      outcome: 'refused',
      class: 'refused',
      attempts: 0,
    });
    expect(events('circuit-opened')).toMatchObject([{ circuit: 'pay' }]);
    expect(events('circuit-refused')).toMatchObject([{ circuit: 'pay' }]);
    const [circuit] = plugins.circuits();
    expect(circuit?.name).toBe('pay');
    expect(circuit === undefined ? '' : timelines.of(circuit)).toBe('fffffr');
  });

  test('what a tool answered that the agent has run', async () => {
    const { sidecar, events } = await watchedSidecar();
    const after = (message: string, additional: JsonObject): Promise<unknown> =>
      sidecar.ask('hooks/tool_execute_after', {
        conversation_id: 'one',
        tool_name: 'bash',
        tool_args: { command: 'cat notes.md' },
        call_id: 'c1',
        response: { message, additional },
      });
    await after('fine', { exit_code: 0, duration_ms: 12 });
    await after('cat: notes.md: No such file or directory', { exit_code: 1 });
    await after('cat: notes.md: No such file or directory', { exit_code: 1 });
    expect(events('call-ended')).toMatchObject([
      { id: 'c1', tool: 'bash', outcome: 'ok', durationMs: 12, message: undefined },
      { outcome: 'failed', failureType: 'not_found', durationMs: undefined },
      { outcome: 'failed', advice: expect.stringContaining('Tool guidance') as string },
    ]);
    expect(events('advice-given').length).toBeGreaterThan(0);
    expect(JSON.stringify(events('call-ended'))).not.toContain('cat notes.md"');
  });
});
