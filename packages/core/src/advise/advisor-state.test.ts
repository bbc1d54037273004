import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cat, notFound } from './advisor.case.ts';
import type { AdvisorEvent } from './advisor-event.ts';
import type { AdvisorOptions } from './advisor-options.ts';
import { EMPTY_STATE, STATE_BOUNDS } from './advisor-state.ts';
import { Advisor } from './advisor.ts';

describe('state', () => {
  test('is plain JSON that holds no arguments and no secrets', () => {
    const advisor = new Advisor();
    const call = {
      tool: 'http_request',
      arguments: { url: 'https://internal.example', key: 'my-argument' },
    };
    const output = 'HTTP/1.1 401 Unauthorized: api_key=abcdef123456 rejected';
    for (let step = 0; step < 3; step++)
      advisor.after(call, { tool: call.tool, output, isError: true });
    const written = JSON.stringify(advisor.state);
    expect(JSON.parse(written)).toEqual(advisor.state);
    expect(written).not.toContain('my-argument');
    expect(written).not.toContain('internal.example');
    expect(written).not.toContain('abcdef123456');
    expect(advisor.state.history[0]?.preview).toContain('api_key=***');
  });

  test('has a history of the last 20 failures with previews of at most 150 characters', () => {
    const advisor = new Advisor();
    for (let step = 0; step < 50; step++)
      advisor.after(
        { tool: `tool${step}` },
        { tool: `tool${step}`, output: `Error: ${step} ${'😀'.repeat(200)}`, isError: true },
      );
    const { history } = advisor.state;
    expect(history).toHaveLength(20);
    expect(history.at(-1)).toMatchObject({ tool: 'tool49', type: 'execution' });
    expect(Object.keys(history[0]!)).toEqual(['tool', 'type', 'preview']);
    for (const { preview } of history) {
      expect(preview.length).toBeLessThanOrEqual(150);
      expect(preview).toMatch(/^Error: \d+ 😀+$/u);
    }
  });

  test('stays small, however long the conversation', () => {
    const advisor = new Advisor({ veto: 'on' });
    for (let step = 0; step < 2000; step++) {
      const call = { tool: `tool${step % 300}`, arguments: { step: step % 700 }, id: `${step}` };
      advisor.before(call);
      if (step % 7 !== 0)
        advisor.after(call, { tool: call.tool, output: `Error: ${step % 11}`, isError: true });
    }
    const { calls, said, vetoes, pending, consecutive } = advisor.state;
    expect(calls.length).toBeLessThanOrEqual(STATE_BOUNDS.calls);
    expect(said.length).toBeLessThanOrEqual(STATE_BOUNDS.said);
    expect(vetoes.length).toBeLessThanOrEqual(STATE_BOUNDS.vetoes);
    expect(pending.length).toBeLessThanOrEqual(STATE_BOUNDS.pending);
    expect(Object.keys(consecutive).length).toBeLessThanOrEqual(STATE_BOUNDS.tools);
    expect(JSON.stringify(advisor.state).length).toBeLessThan(40_000);
  });

  test('is restored, and goes on where it stopped', () => {
    const first = new Advisor();
    first.after(cat, notFound);
    const second = Advisor.restore(JSON.parse(JSON.stringify(first.state)));
    expect(second.state).toEqual(first.state);
    expect(second.after(cat, notFound).advice?.text).toContain('not_found');
  });

  test('of garbage is an empty one, or what can be used of it', () => {
    for (const garbage of [undefined, null, 7, 'x', [], {}, { version: 2 }, { history: [] }])
      expect(Advisor.restore(garbage).state).toEqual(EMPTY_STATE);
    const partly = Advisor.restore({
      version: 1,
      history: [
        { tool: 'a', type: 'nonsense', preview: '' },
        null,
        { tool: 'b', type: 'timeout', preview: 'p' },
      ],
      consecutive: { a: -1, b: 2, c: 'x' },
      stepBack: { window: [true, 'x'], successes: NaN },
      calls: 'none',
    }).state;
    expect(partly.history).toEqual([{ tool: 'b', type: 'timeout', preview: 'p' }]);
    expect(partly.consecutive).toEqual({ b: 2 });
    expect(partly.stepBack).toEqual({ window: [true], isShown: false, successes: 0 });
    expect(partly.calls).toEqual([]);
  });

  test('of any JSON can be gone on with', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(EMPTY_STATE)), (value, key) => {
        const events: AdvisorEvent[] = [];
        const options = { veto: 'on', onEvent: (event) => events.push(event) } as AdvisorOptions;
        const advisor = Advisor.restore({ ...EMPTY_STATE, [key]: value }, options);
        advisor.before(cat);
        advisor.after(cat, notFound);
        expect(events.filter(({ type }) => type === 'advisor-failed')).toEqual([]);
      }),
    );
  });
});
