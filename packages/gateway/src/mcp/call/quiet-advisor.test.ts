import { Advisor } from '@holdfast/core/advise';
import type { ToolResult } from '@holdfast/core/advise';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuietAdvisor } from './quiet-advisor.ts';

const ends: readonly ToolResult[] = [
  { tool: 't', isError: false, output: 'fine' },
  { tool: 't', isError: false, output: 'other' },
  { tool: 't', isError: true, output: 'ENOENT: no such file' },
  { tool: 't', isError: false, output: 'Error: it is an error all the same' },
];

describe('an advisor that is only asked when it may have something to say', () => {
  test('says what one says that hears of every call', () => {
    const script = fc.array(
      fc.record({ tool: fc.constantFrom('a', 'b', 'c'), arg: fc.nat(30), end: fc.nat(3) }),
      { maxLength: 120 },
    );
    fc.assert(
      fc.property(script, (steps) => {
        const every = new Advisor({});
        const quiet = new QuietAdvisor(new Advisor({}));
        for (const [at, { tool, arg, end: which }] of steps.entries()) {
          const call = { tool, arguments: { arg }, id: String(at), round: at };
          const end = { ...ends[which]!, tool };
          expect(quiet.after(call, end)?.text).toBe(every.after(call, end).advice?.text);
        }
      }),
    );
  });

  test('keeps few calls, however many go well', () => {
    const advisor = new Advisor({});
    const quiet = new QuietAdvisor(advisor);
    for (let at = 0; at < 1000; at++) {
      quiet.after({ tool: 'a', arguments: { at } }, { tool: 'a', isError: false, output: 'fine' });
    }
    expect(advisor.state.calls).toEqual([]);
    quiet.after({ tool: 'a', arguments: {} }, { tool: 'a', isError: true, output: 'broken' });
    expect(advisor.state.calls).toHaveLength(50);
  });
});
