import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import type { AdvisedCall } from './advised-call.ts';
import { wordCount } from './advice-entry.ts';
import { ADVICE_PREFIX, LOG_PREFIX, MAX_PART_WORDS } from './advice-text.ts';
import { Advisor } from './advisor.ts';
import { cat, failed, notFound, succeeded } from './advisor.case.ts';
import type { AdvisorEvent } from './advisor-event.ts';
import { formatAdvisorEvent } from './advisor-event.ts';
import type { AdvisorOptions } from './advisor-options.ts';

describe('advice', () => {
  test('comes with the second failure and names path, type and `find`', () => {
    const advisor = new Advisor();
    expect(advisor.after(cat, notFound).advice).toBeUndefined();

    const { advice, classification } = advisor.after(cat, notFound);
    expect(classification).toMatchObject({ status: 'failure', type: 'not_found' });
    expect(advice?.text.startsWith(ADVICE_PREFIX)).toBe(true);
    expect(advice?.text).toContain('/nonexistent/file/path.txt');
    expect(advice?.text).toContain('not_found');
    expect(advice?.text).toContain('2 times');
    expect(advice?.text).toContain('`find');
    expect(advice?.text).toContain('Do not');
    expect(advice?.log).toBe(LOG_PREFIX + advice!.parts[0]!.text);
  });

  test('ends with the step-back and its three questions after five failures', () => {
    const advisor = new Advisor();
    const heard = ['a', 'b', 'c', 'd', 'e'].map(
      (path) =>
        advisor.after(
          { tool: 'read_file', arguments: { path } },
          { tool: 'read_file', output: `ENOENT: no such file, open '${path}'`, isError: true },
        ).advice,
    );
    const last = heard.at(-1)!;
    expect(last.parts.map(({ rule }) => rule)).toEqual(['tool-failures', 'step-back']);
    const stepBack = last.text.split('\n')[1]!;
    for (const said of ['5 of the last 5', '(1)', '(2)', 'ask the user', '(3)', 'Do not'])
      expect(stepBack).toContain(said);
    expect(last.log).not.toContain('\n');
  });

  test('waits for the next call where the host can only speak there', () => {
    const advisor = new Advisor({ speakAt: 'before' });
    advisor.after(cat, notFound);
    expect(advisor.after(cat, notFound).advice).toBeUndefined();
    expect(advisor.before({ tool: 'ls' }).advice?.text).toContain('not_found');
    expect(advisor.before({ tool: 'ls' })).toEqual({});
  });

  test('begins at the threshold that is set', () => {
    const advisor = new Advisor({ toolThreshold: 1 });
    expect(advisor.after({ tool: 'x' }, failed('execution')).advice?.text).toContain(
      'x failed (execution).',
    );
  });

  test('is what the user wrote for the tool', () => {
    const advice = [{ tool: 'deploy', type: 'any', text: 'Ask in the release room.' }] as const;
    const advisor = new Advisor({ advice, toolThreshold: 1 });
    const heard = advisor.after({ tool: 'deploy' }, failed('conflict', 'stage is locked')).advice;
    expect(heard?.text).toBe(
      '⚠️ Tool guidance: deploy failed (conflict). Its output, quoted: "stage is locked". Ask in the release room.',
    );
  });

  test('names the nearest tools when one does not exist', () => {
    const advisor = new Advisor({ toolNames: ['read_file', 'write_file', 'bash'] });
    const { advice } = advisor.after(
      { tool: 'reed_file' },
      { tool: 'reed_file', notRun: 'unknown-tool' },
    );
    expect(advice?.text).toContain('no tool named reed_file');
    expect(advice?.text).toContain('Use read_file');
  });

  test('never has a part of more than 60 words, whatever the tool says', () => {
    const types = ['timeout', 'not_found', 'permission', 'edit_mismatch', 'execution'] as const;
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300, unit: 'grapheme' }),
        fc.array(fc.lorem({ maxCount: 60 }), { maxLength: 3 }),
        fc.constantFrom(...types),
        fc.constantFrom('bash', 'x', 'read_file'),
        (noise, words, type, tool) => {
          const advisor = new Advisor({ toolThreshold: 1, stepBackFailures: 2 });
          const evidence = `${noise} ${words.join(' ')}`;
          for (let step = 0; step < 4; step++)
            for (const { text } of advisor.after({ tool }, failed(type, evidence)).advice?.parts ??
              [])
              expect(wordCount(text)).toBeLessThanOrEqual(MAX_PART_WORDS);
        },
      ),
    );
  });
});

describe('counts', () => {
  test.each([
    ['a success ends a row', succeeded],
    ['an unknown end ends a row', { ...succeeded, status: 'unknown' }],
    ['a red check ends a row: the tool worked', failed('check_failed')],
  ] as const)('%s', (_, between) => {
    const advisor = new Advisor();
    advisor.after({ tool: 'probe', arguments: { n: 1 } }, failed('execution', 'one'));
    advisor.after({ tool: 'probe', arguments: { n: 2 } }, between);
    expect(
      advisor.after({ tool: 'probe', arguments: { n: 3 } }, failed('execution', 'two')).advice,
    ).toBeUndefined();
    expect(advisor.state.consecutive).toEqual({ probe: 1 });
  });

  test.each(['denied', 'cancelled'] as const)('%s calls change nothing', (notRun) => {
    const advisor = new Advisor();
    advisor.after({ tool: 'probe', arguments: { n: 1 } }, failed('execution', 'one'));
    const before = advisor.state;
    advisor.after({ tool: 'probe', arguments: { n: 2 } }, { tool: 'probe', notRun });
    expect({ ...advisor.state, round: 0 }).toEqual({ ...before, round: 0 });
  });

  test('of one tool say nothing about another', () => {
    const advisor = new Advisor();
    advisor.after({ tool: 'one' }, failed('execution', 'a'));
    expect(advisor.after({ tool: 'two' }, failed('execution', 'b')).advice).toBeUndefined();
    advisor.after({ tool: 'three' }, succeeded);
    expect(advisor.state.consecutive).toEqual({ one: 1, two: 1 });
  });

  test('hold tools with names like __proto__', () => {
    const advisor = new Advisor();
    advisor.after({ tool: '__proto__' }, failed('execution'));
    expect(advisor.after({ tool: '__proto__' }, failed('execution')).advice).toBeDefined();
    expect(Object.keys(advisor.state.consecutive)).toEqual(['__proto__']);
  });
});

describe('an advisor', () => {
  test('tells of advice and vetoes as lines for a log', () => {
    const lines: string[] = [];
    const advisor = new Advisor({
      veto: 'on',
      onEvent: (event) => lines.push(formatAdvisorEvent(event)),
    });
    advisor.after(cat, notFound);
    advisor.after(cat, notFound);
    advisor.before(cat);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^\[Fallback\] The same code_execution_tool call failed 2 times.*not_found/,
    );
    expect(lines[1]).toMatch(/^\[Fallback\] This code_execution_tool call was not run/);
  });

  test('reports what goes wrong inside, and the call goes on', () => {
    const events: AdvisorEvent[] = [];
    const advisor = new Advisor({ onEvent: (event) => events.push(event) });
    const hostile = {
      tool: 'x',
      get arguments(): never {
        throw new Error('no arguments\nfor you');
      },
    };
    expect(advisor.before(hostile)).toEqual({});
    expect(advisor.after(hostile, succeeded)).toEqual({ classification: succeeded });
    expect(events.map((event) => event.type === 'advisor-failed' && event.at)).toEqual([
      'before',
      'after',
    ]);
    expect(formatAdvisorEvent(events[0]!)).toBe(
      '[Fallback] the advisor failed in before: no arguments for you',
    );
  });

  test('calls an end unknown when it cannot be classified', () => {
    const events: AdvisorEvent[] = [];
    const advisor = new Advisor({ onEvent: (event) => events.push(event) });
    const hostile = {
      tool: 'x',
      get output(): string {
        throw new Error('no output');
      },
    };
    expect(advisor.after({ tool: 'x' }, hostile).classification.status).toBe('unknown');
    expect(events[0]).toMatchObject({ type: 'advisor-failed', at: 'classify' });
  });

  test('does not mind a listener that throws', () => {
    const advisor = new Advisor({
      onEvent: () => {
        throw new Error('listener');
      },
    });
    advisor.after(cat, notFound);
    expect(advisor.after(cat, notFound).advice).toBeDefined();
  });

  test('takes arguments and results of any size in little time', () => {
    const advisor = new Advisor();
    let deep: { a?: unknown } = {};
    for (let level = 0; level < 20_000; level++) deep = { a: deep };
    const call = { tool: 'bash', arguments: { deep, big: 'x'.repeat(2_000_000) } } as AdvisedCall;
    const output = '\x1b[31m error'.repeat(200_000);
    const { classification, advice } = advisor.after(call, { tool: 'bash', output, exitCode: 1 });
    expect(classification.status).toBe('failure');
    expect(advice).toBeUndefined();
    expect(advisor.after(call, { tool: 'bash', output, exitCode: 1 }).advice).toBeDefined();
  });

  test('takes any call and any result without failing', () => {
    fc.assert(
      fc.property(fc.string(), fc.object(), fc.object(), (tool, args, result) => {
        const events: AdvisorEvent[] = [];
        const advisor = new Advisor({ onEvent: (event) => events.push(event) });
        const call = { tool, arguments: args } as AdvisedCall;
        advisor.before(call);
        advisor.after(call, { tool, ...result });
        expect(
          events.filter((event) => event.type === 'advisor-failed' && event.at !== 'classify'),
        ).toEqual([]);
      }),
    );
  });

  test.each([
    [{ toolThreshold: 0 }, 'advisor.toolThreshold: expected a whole number of at least 1, got 0'],
    [{ veto: true }, "advisor.veto: expected 'off' or 'on', got true"],
    [{ onEvent: 1 }, 'advisor.onEvent: expected a function, got 1'],
    [{ tresholds: 2 }, 'advisor.tresholds: expected an option that exists'],
    [{ tools: { x: { mayRepeat: 1 } } }, 'tools.x.mayRepeat: expected true or false, got 1'],
    [{ tools: { x: { kinds: 1 } } }, 'kinds'],
    [{ toolNames: [1] }, 'advisor.toolNames: expected a list of names, got an array'],
    [
      { advice: [{ tool: 'x', type: 'y', text: 'z' }] },
      'advice[0].type: expected any or one of timeout',
    ],
  ])('refuses %j', (options, message) => {
    const make = (): Advisor => new Advisor(options as AdvisorOptions);
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(message);
  });
});
