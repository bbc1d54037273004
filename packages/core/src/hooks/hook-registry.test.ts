import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { AfterExtension, BeforeExtension } from './extension.ts';
import type { HookEvent } from './hook-event.ts';
import { HookRegistry } from './hook-registry.ts';

const RESPONSE = { message: 'done', breakLoop: false, additional: { pages: [1, 2] } };

/** A registry that keeps what it reports. */
function watched(): { hooks: HookRegistry; events: HookEvent[]; clock: ManualClock } {
  const events: HookEvent[] = [];
  const clock = new ManualClock();
  return {
    hooks: new HookRegistry({ clock, onEvent: (event) => events.push(event) }),
    events,
    clock,
  };
}

describe('registering', () => {
  test('lists extensions in the order they run, whatever the order they came in', () => {
    const hooks = new HookRegistry();
    for (const name of ['last', '_100_c', '_20_b', '_10_a'])
      hooks.register('tool_execute_after', name, () => undefined);
    expect(hooks.list('tool_execute_after')).toEqual(['_10_a', '_20_b', '_100_c', 'last']);
    expect(hooks.list('tool_execute_before')).toEqual([]);
  });

  test('refuses a second extension of the same name at the same point, and keeps the first', async () => {
    const hooks = new HookRegistry().register('tool_execute_after', '_30_a', () => 'first');
    expect(() => hooks.register('tool_execute_after', '_30_a', () => 'second')).toThrow(
      'name: expected a name that is not registered at tool_execute_after yet, got "_30_a"',
    );
    hooks.register('tool_execute_before', '_30_a', () => undefined);
    const { added } = await hooks.runAfter({ toolName: 'ls', response: RESPONSE });
    expect(added).toEqual([{ extension: '_30_a', text: 'first' }]);
  });

  test('removes an extension, and says whether there was one', () => {
    const hooks = new HookRegistry().register('tool_execute_before', '_10_a', () => undefined);
    expect(hooks.unregister('tool_execute_after', '_10_a')).toBe(false);
    expect(hooks.unregister('tool_execute_before', '_10_a')).toBe(true);
    expect(hooks.list('tool_execute_before')).toEqual([]);
  });

  test.each([
    ['a point that does not exist', ['tool_execute_never', '_10_a', () => undefined]],
    ['an empty name', ['tool_execute_before', '', () => undefined]],
    ['no extension', ['tool_execute_after', '_10_a', undefined]],
    ['a mask before the tool', ['tool_execute_before', '_10_a', { mask: String }]],
    ['an object that masks nothing', ['tool_execute_after', '_10_a', {}]],
  ])('refuses %s', (_, [point, name, extension]) => {
    const hooks = new HookRegistry();
    expect(() => hooks.register(point as never, name as never, extension as never)).toThrow(
      InvalidOptionError,
    );
  });

  test('refuses options that do not exist or cannot be', () => {
    expect(() => new HookRegistry({ timeoutMs: -1 })).toThrow('HookRegistry.timeoutMs');
    expect(() => new HookRegistry({ timeout: 1 } as never)).toThrow('HookRegistry.timeout');
  });

  test('does not change a run that is under way', async () => {
    const hooks = new HookRegistry();
    hooks.register('tool_execute_after', '_10_a', () => {
      hooks.register('tool_execute_after', '_20_b', () => 'late');
      return 'first';
    });
    const run = { toolName: 'ls', response: RESPONSE };
    expect((await hooks.runAfter(run)).added.map(({ text }) => text)).toEqual(['first']);
    expect(hooks.list('tool_execute_after')).toEqual(['_10_a', '_20_b']);
  });
});

describe('before a tool', () => {
  test('hands each extension the call, and waits for it', async () => {
    const seen: unknown[] = [];
    const hooks = new HookRegistry()
      .register('tool_execute_before', '_20_second', ({ toolName }) => {
        seen.push(['second', toolName]);
        return undefined;
      })
      .register('tool_execute_before', '_10_first', async ({ toolName, toolArgs, callId }) => {
        await Promise.resolve();
        seen.push(['first', toolName, toolArgs, callId]);
        return undefined;
      });
    const toolArgs = { path: '.' };
    const outcome = await hooks.runBefore({ toolName: 'ls', toolArgs, callId: 'c1' });

    expect(seen).toEqual([
      ['first', 'ls', { path: '.' }, 'c1'],
      ['second', 'ls'],
    ]);
    expect(outcome).toEqual({ toolArgs, notices: [], veto: undefined });
    expect(outcome.toolArgs).toBe(toolArgs);
  });

  test('passes on arguments that an extension has replaced, not those it has changed', async () => {
    const { hooks, events } = watched();
    const vandal: BeforeExtension = ({ toolArgs }) => {
      (toolArgs as Record<string, unknown>)['key'] = 'changed';
      return undefined;
    };
    const toolArgs = { key: '§secret§' };
    hooks
      .register('tool_execute_before', '_05_vandal', vandal)
      .register('tool_execute_before', '_10_unmask', () => ({ toolArgs: { key: 'k-1' } }))
      .register('tool_execute_before', '_30_see', ({ toolArgs: now }) => ({
        notice: JSON.stringify(now),
      }));
    const outcome = await hooks.runBefore({ toolName: 'curl', toolArgs });

    expect(outcome.toolArgs).toEqual({ key: 'k-1' });
    expect(outcome.notices).toEqual([{ extension: '_30_see', text: '{"key":"k-1"}' }]);
    expect(toolArgs).toEqual({ key: '§secret§' });
    expect(events).toMatchObject([{ type: 'extension-failed', extension: '_05_vandal' }]);
  });

  test('gives the first veto to the host and runs the others all the same', async () => {
    const hooks = new HookRegistry()
      .register('tool_execute_before', '_10_a', () => ({ veto: 'not again' }))
      .register('tool_execute_before', '_20_b', () => ({ veto: 'nor so', notice: 'wait' }));
    expect(await hooks.runBefore({ toolName: 'ls', toolArgs: {} })).toEqual({
      toolArgs: {},
      notices: [{ extension: '_20_b', text: 'wait' }],
      veto: { extension: '_10_a', text: 'not again' },
    });
  });

  test.each([undefined, null, ''])('does nothing for the name %j', async (toolName) => {
    const hooks = new HookRegistry().register('tool_execute_before', '_10_a', () => ({
      veto: 'x',
    }));
    expect(await hooks.runBefore({ toolName })).toEqual({
      toolArgs: {},
      notices: [],
      veto: undefined,
    });
  });
});

describe('after a tool', () => {
  test('adds what extensions return behind the message, in order', async () => {
    const hooks = new HookRegistry()
      .register('tool_execute_after', '_30_b', async () => 'two')
      .register('tool_execute_after', '_20_none', () => '')
      .register('tool_execute_after', '_10_a', () => 'one');
    const { response, added } = await hooks.runAfter({ toolName: 'ls', response: RESPONSE });

    expect(response).toEqual({ ...RESPONSE, message: 'done\n\none\n\ntwo' });
    expect(response?.additional).toBe(RESPONSE.additional);
    expect(added.map(({ extension }) => extension)).toEqual(['_10_a', '_30_b']);
  });

  test('returns the very response when nothing was added', async () => {
    const hooks = new HookRegistry().register('tool_execute_after', '_10_a', () => undefined);
    const { response } = await hooks.runAfter({ toolName: 'ls', response: RESPONSE });
    expect(response).toBe(RESPONSE);
  });

  test('adds to an empty message without a gap', async () => {
    const hooks = new HookRegistry().register('tool_execute_after', '_10_a', () => 'one');
    const { response } = await hooks.runAfter({ toolName: 'ls', response: { message: '' } });
    expect(response?.message).toBe('one');
  });

  const vandals: Record<string, AfterExtension> = {
    'the message': ({ response }) => {
      (response as { message: string }).message = 'all is well';
      return undefined;
    },
    'the end of the loop': ({ response }) => {
      (response as { breakLoop: boolean }).breakLoop = true;
      return undefined;
    },
    'what else is known, deep inside': ({ response }) => {
      (response.additional!['pages'] as number[]).push(3);
      return undefined;
    },
    'the response as a whole': (context) => {
      (context as { response: unknown }).response = { message: 'other' };
      return undefined;
    },
  };
  test.each(Object.entries(vandals))('takes over no change of %s', async (_, vandal) => {
    const { hooks, events } = watched();
    const messages: string[] = [];
    hooks
      .register('tool_execute_after', '_10_vandal', vandal)
      .register('tool_execute_after', '_20_witness', ({ response }) => {
        messages.push(response.message);
        return undefined;
      });
    const { response } = await hooks.runAfter({ toolName: 'ls', response: RESPONSE });

    expect(response).toBe(RESPONSE);
    expect(RESPONSE).toEqual({ message: 'done', breakLoop: false, additional: { pages: [1, 2] } });
    expect(messages).toEqual(['done']);
    expect(events).toMatchObject([{ type: 'extension-failed', point: 'tool_execute_after' }]);
  });

  test('takes what a mask hides from everyone behind it, and from the model', async () => {
    const seen: string[] = [];
    const see: AfterExtension = ({ response }) => {
      seen.push(response.message);
      return undefined;
    };
    const hooks = new HookRegistry()
      .register('tool_execute_after', '_05_see', see)
      .register('tool_execute_after', '_10_mask', { mask: (text) => text.replaceAll('k-1', '***') })
      .register('tool_execute_after', '_30_see', see);
    const { response, added } = await hooks.runAfter({
      toolName: 'env',
      response: { ...RESPONSE, message: 'KEY=k-1' },
    });

    expect(seen).toEqual(['KEY=k-1', 'KEY=***']);
    expect(response).toEqual({ ...RESPONSE, message: 'KEY=***' });
    expect(added).toEqual([]);
  });

  test.each([
    ['no response', { toolName: 'ls' }, undefined],
    ['null for one', { toolName: 'ls', response: null }, undefined],
    ['no name', { response: RESPONSE }, RESPONSE],
    ['an empty name', { toolName: '', response: RESPONSE }, RESPONSE],
    ['a response without a message', { toolName: 'ls', response: {} as never }, {}],
  ])('does nothing with %s', async (_, run, response) => {
    let runs = 0;
    const hooks = new HookRegistry().register('tool_execute_after', '_10_a', () => `run ${++runs}`);
    expect(await hooks.runAfter(run)).toEqual({ response, added: [] });
    expect(runs).toBe(0);
  });
});

describe('an extension that fails', () => {
  const failing: Record<string, () => never> = {
    throws: () => {
      throw new Error('no luck');
    },
    rejects: () => Promise.reject(new Error('no luck')) as never,
    'replies with nonsense': () => 7 as never,
    'replies with nonsense later': () => Promise.resolve({ veto: 7 }) as never,
  };
  test.each(Object.entries(failing))(
    'and %s is reported, and the next one runs',
    async (_, fail) => {
      const { hooks, events } = watched();
      hooks
        .register('tool_execute_before', '_10_bad', fail)
        .register('tool_execute_before', '_20_good', () => ({ notice: 'here' }))
        .register('tool_execute_after', '_10_bad', fail)
        .register('tool_execute_after', '_15_bad', { mask: fail })
        .register('tool_execute_after', '_20_good', () => 'here');

      expect(await hooks.runBefore({ toolName: 'ls' })).toMatchObject({
        notices: [{ text: 'here' }],
      });
      const { response } = await hooks.runAfter({ toolName: 'ls', response: RESPONSE });
      expect(response?.message).toBe('done\n\nhere');
      expect(events).toEqual(
        (
          [
            ['tool_execute_before', '_10_bad'],
            ['tool_execute_after', '_10_bad'],
            ['tool_execute_after', '_15_bad'],
          ] as const
        ).map(([point, extension]) => ({
          type: 'extension-failed',
          point,
          extension,
          toolName: 'ls',
          error: expect.any(Error) as unknown,
        })),
      );
    },
  );

  test('by never ending is left behind when its time is over', async () => {
    const { hooks, events, clock } = watched();
    let finish = (_: string): void => undefined;
    hooks
      .register(
        'tool_execute_after',
        '_10_slow',
        () => new Promise((resolve) => (finish = resolve)),
      )
      .register('tool_execute_after', '_20_good', () => 'here');
    const run = hooks.runAfter({ toolName: 'ls', response: RESPONSE });
    await clock.advance(5_000);
    finish('too late');

    expect((await run).response?.message).toBe('done\n\nhere');
    expect(events).toEqual([
      {
        type: 'extension-timed-out',
        point: 'tool_execute_after',
        extension: '_10_slow',
        toolName: 'ls',
        timeoutMs: 5_000,
      },
    ]);
  });

  test('leaves no timer behind when it ends in time', async () => {
    const { hooks, clock } = watched();
    hooks.register('tool_execute_after', '_10_a', async () => 'one');
    await hooks.runAfter({ toolName: 'ls', response: RESPONSE });
    expect(clock.pendingTimers).toBe(0);
  });

  test('may be waited for without end', async () => {
    const clock = new ManualClock();
    let finish = (_: string): void => undefined;
    const hooks = new HookRegistry({ clock, timeoutMs: Infinity }).register(
      'tool_execute_after',
      '_10_slow',
      () => new Promise((resolve) => (finish = resolve)),
    );
    const run = hooks.runAfter({ toolName: 'ls', response: RESPONSE });
    await clock.advance(86_400_000);
    finish('at last');
    expect((await run).added).toEqual([{ extension: '_10_slow', text: 'at last' }]);
  });

  test('does not break the chain when the one who is told fails too', async () => {
    const hooks = new HookRegistry({
      onEvent: () => {
        throw new Error('the listener');
      },
    })
      .register('tool_execute_after', '_10_bad', failing['throws']!)
      .register('tool_execute_after', '_20_good', () => 'here');
    expect((await hooks.runAfter({ toolName: 'ls', response: RESPONSE })).added).toHaveLength(1);
  });
});

describe('what extensions keep', () => {
  const counting: AfterExtension = ({ data }) => {
    const count = Number(data.get('_count') ?? 0) + 1;
    data.set('_count', count);
    return `call ${count}`;
  };
  const say = async (hooks: HookRegistry, data?: Map<string, unknown>): Promise<string> =>
    (await hooks.runAfter({ toolName: 'ls', response: RESPONSE, data })).added[0]!.text;

  test('is shared by the runs of one conversation and by nobody else', async () => {
    const hooks = new HookRegistry().register('tool_execute_after', '_10_count', counting);
    const [one, two] = [new Map<string, unknown>(), new Map<string, unknown>([['_mine', true]])];

    expect([await say(hooks, one), await say(hooks, one), await say(hooks, two)]).toEqual([
      'call 1',
      'call 2',
      'call 1',
    ]);
    expect([...two]).toEqual([
      ['_mine', true],
      ['_count', 1],
    ]);
  });

  test('is kept in the registry when the host has no store', async () => {
    const hooks = new HookRegistry().register('tool_execute_after', '_10_count', counting);
    expect([await say(hooks), await say(hooks)]).toEqual(['call 1', 'call 2']);
  });
});
