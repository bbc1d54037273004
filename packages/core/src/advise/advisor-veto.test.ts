import { describe, expect, test } from 'vitest';
import { LOG_PREFIX } from './advice-text.ts';
import { cat, failed, notFound } from './advisor.case.ts';
import { Advisor } from './advisor.ts';

describe('veto', () => {
  const retry = (advisor: Advisor, times: number): void => {
    for (let step = 0; step < times; step++) {
      advisor.before(cat);
      advisor.after(cat, notFound);
    }
  };

  test('is off unless it is turned on', () => {
    const advisor = new Advisor();
    retry(advisor, 5);
    expect(advisor.before(cat).veto).toBeUndefined();
  });

  test('stops the third try of a call that failed twice', () => {
    const advisor = new Advisor({ veto: 'on' });
    retry(advisor, 1);
    expect(advisor.before(cat)).toEqual({});
    advisor.after(cat, notFound);
    const { veto } = advisor.before(cat);
    expect(veto?.rule).toBe('same-call');
    expect(veto?.text).toContain('not_found');
    expect(veto?.log.startsWith(LOG_PREFIX)).toBe(true);
  });

  test('gives what may pass by itself one more try', () => {
    const advisor = new Advisor({ veto: 'on' });
    const call = { tool: 'fetch', arguments: { url: 'u' } };
    for (let step = 0; step < 3; step++) {
      expect(advisor.before(call).veto).toBeUndefined();
      advisor.after(call, failed('rate_limit', '429'));
    }
    expect(advisor.before(call).veto?.rule).toBe('same-call');
  });

  test('is sticky, and yields after three times with the advice to ask the user', () => {
    const advisor = new Advisor({ veto: 'on' });
    retry(advisor, 2);
    expect([1, 2, 3].map(() => advisor.before(cat).veto?.rule)).toEqual(Array(3).fill('same-call'));
    const fourth = advisor.before(cat);
    expect(fourth.veto).toBeUndefined();
    expect(fourth.advice?.parts[0]?.rule).toBe('ask-the-user');
    expect(fourth.advice?.text).toContain('ask');
  });

  test('keeps advice that waits when it yields', () => {
    const advisor = new Advisor({ veto: 'on', speakAt: 'before' });
    retry(advisor, 2);
    for (let step = 0; step < 3; step++) advisor.before(cat);
    for (const tool of ['one', 'two', 'three']) advisor.after({ tool }, failed('execution', tool));
    const rules = advisor.before(cat).advice?.parts.map(({ rule }) => rule);
    expect(rules).toEqual(['ask-the-user', 'step-back']);
  });

  test('leaves other calls alone', () => {
    const advisor = new Advisor({ veto: 'on' });
    retry(advisor, 2);
    expect(advisor.before({ ...cat, arguments: { code: 'ls /' } })).toEqual({});
  });

  test('yields after a change', () => {
    const advisor = new Advisor({ veto: 'on' });
    retry(advisor, 2);
    const write = { tool: 'write_file', arguments: { path: '/nonexistent/file/path.txt' } };
    advisor.before(write);
    advisor.after(write, { tool: 'write_file', output: 'written', isError: false });
    expect(advisor.before(cat).veto).toBeUndefined();
  });

  test('yields after the user has spoken', () => {
    const advisor = new Advisor({ veto: 'on' });
    retry(advisor, 2);
    advisor.userSpoke();
    expect(advisor.before(cat).veto).toBeUndefined();
  });

  test('never follows from a classification that is in doubt', () => {
    const advisor = new Advisor({ veto: 'on' });
    for (let step = 0; step < 3; step++)
      advisor.after(cat, { ...failed('execution'), confidence: 0.6 });
    expect(advisor.before(cat).veto).toBeUndefined();
  });

  test('stops the fifth call that would give the same result', () => {
    const advisor = new Advisor({ veto: 'on' });
    const call = { tool: 'search', arguments: { q: 'x' } };
    for (let step = 0; step < 4; step++) {
      expect(advisor.before(call).veto).toBeUndefined();
      advisor.after(call, { tool: 'search', output: 'the same', isError: false });
    }
    expect(advisor.before(call).veto?.rule).toBe('no-progress');
  });

  test('stops the call that would end the fifth lap', () => {
    const advisor = new Advisor({ veto: 'on' });
    const calls = ['a', 'b'].map((path) => ({ tool: 'read_file', arguments: { path } }));
    const rules: (string | undefined)[] = [];
    for (let step = 0; step < 10; step++) {
      const call = calls[step % 2]!;
      rules.push(advisor.before(call).veto?.rule);
      advisor.after(call, { tool: 'read_file', output: call.arguments.path, isError: false });
    }
    expect(rules).toEqual([...Array<undefined>(9).fill(undefined), 'cycle']);
  });

  test('stops the third call of a tool that does not exist', () => {
    const advisor = new Advisor({ veto: 'on' });
    const call = { tool: 'no_such', arguments: {} };
    for (let step = 0; step < 2; step++) {
      expect(advisor.before(call).veto).toBeUndefined();
      advisor.after(call, { tool: 'no_such', notRun: 'unknown-tool' });
    }
    expect(advisor.before({ ...call, arguments: { other: 1 } }).veto?.rule).toBe('unknown-tool');
  });

  test('spares what may be repeated', () => {
    const advisor = new Advisor({ veto: 'on', tools: { ask: { mayRepeat: true } } });
    for (let step = 0; step < 6; step++) {
      expect(advisor.before({ tool: 'ask' }).veto).toBeUndefined();
      advisor.after({ tool: 'ask' }, failed('execution'));
    }
  });
});
