import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { upstreamToScripted } from '../upstream/scripted-server.case.ts';
import type { UpstreamToScripted } from '../upstream/scripted-server.case.ts';
import { ServerLists } from './server-lists.ts';

const HTTP = { kind: 'http', url: 'http://localhost/mcp', headers: {} } as const;
const TOLD = new Set(['toolsListChanged']);

function begin(given: Parameters<typeof upstreamToScripted>[0] = {}): UpstreamToScripted & {
  readonly lists: ServerLists;
  readonly list: (...names: string[]) => void;
} {
  const upstream = upstreamToScripted(given);
  const { server, clock, log, script } = upstream;
  const lists = new ServerLists({ server, timeoutMs: 1000, clock, log });
  const list = (...names: string[]): void => {
    script.answers.set('tools/list', () => ({ tools: names.map((name) => ({ name })) }));
  };
  list('one');
  return { ...upstream, lists, list };
}

const names = ({ items }: { readonly items: readonly JsonObject[] }): unknown =>
  items.map(({ name }) => name);

describe('the lists of a server', () => {
  test('are asked for once by all who want them at the same time', async () => {
    const { lists, script } = begin();
    const all = await Promise.all([lists.get('tools'), lists.get('tools'), lists.get('tools')]);
    expect(all.map(names)).toEqual([['one'], ['one'], ['one']]);
    expect(script.count('tools/list')).toBe(1);
  });

  test('are asked for each time where the server does not tell of changes', async () => {
    const { lists, script, list } = begin();
    const first = await lists.get('tools');
    expect(await lists.get('tools')).toBe(first);
    list('one', 'two');
    expect(names(await lists.get('tools'))).toEqual(['one', 'two']);
    expect(script.count('tools/list')).toBe(3);
  });

  test('are good until a change is told of', async () => {
    const { lists, script, list, server, clock } = begin();
    lists.trust(await server.connect(), TOLD);
    await lists.get('tools');
    clock.skip(86_400_000);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(1);
    list('two');
    lists.changed('tools');
    expect(names(lists.peek('tools'))).toEqual(['one']);
    expect(names(await lists.get('tools'))).toEqual(['two']);
  });

  test('are asked for again once nothing is told any more, and over HTTP after a minute', async () => {
    const { lists, script, server, clock } = begin({ config: { via: HTTP } });
    const connection = await server.connect();
    lists.trust(connection, TOLD);
    await lists.get('tools');
    clock.skip(59_999);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(1);
    clock.skip(1);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(2);
    lists.distrust(connection);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(3);
  });

  test('are good for as long as the server says', async () => {
    const { lists, script, clock } = begin();
    const answer = { tools: [{ name: 'one' }], ttlMs: 500, cacheScope: 'public' };
    script.answers.set('tools/list', () => answer);
    expect(await lists.get('tools')).toMatchObject({ ttlMs: 500, cacheScope: 'public' });
    clock.skip(499);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(1);
    clock.skip(1);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(2);
  });

  test('are never those from before a change that was told of', async () => {
    const { lists, script, server, list } = begin();
    lists.trust(await server.connect(), TOLD);
    let answer = (_tools: JsonObject): void => undefined;
    script.answers.set('tools/list', () => new Promise((resolve) => (answer = resolve)));
    const early = lists.get('tools');
    await expect.poll(() => script.count('tools/list')).toBe(1);
    list('new');
    lists.changed('tools');
    const late = lists.get('tools');
    answer({ tools: [{ name: 'old' }] });
    expect(names(await late)).toEqual(['new']);
    expect(names(await early)).toEqual(['new']);
    await lists.get('tools');
    expect(script.count('tools/list')).toBe(2);
  });

  test('are the last good ones where the server is late, and it is asked anew after a minute', async () => {
    const { lists, script, clock, list } = begin();
    const good = await lists.get('tools');
    script.answers.set('tools/list', () => undefined);
    const late = lists.get('tools');
    await expect.poll(() => script.count('tools/list')).toBe(2);
    await clock.advance(1000);
    expect(await late).toBe(good);
    list('two');
    const joined = lists.get('tools');
    await clock.advance(1000);
    expect(await joined).toBe(good);
    await clock.advance(60_000);
    expect(names(await lists.get('tools'))).toEqual(['two']);
  });

  test('are the last good ones where the server fails or has gone', async () => {
    const { lists, script, clock } = begin();
    const good = await lists.get('tools');
    script.answers.set('tools/list', () => {
      throw new Error('broken');
    });
    expect(await lists.get('tools')).toBe(good);
    script.mood = 'refuses';
    await script.end();
    const gone = lists.get('tools');
    await clock.advance(1000);
    expect(await gone).toBe(good);
  });

  test('are put together from pages, of which there is an end', async () => {
    const { lists, script } = begin();
    script.answers.set('tools/list', ({ cursor }) => {
      const page = Number(cursor ?? 0);
      return {
        tools: [{ name: `t${page}` }, 'odd'],
        ...(page < 2 && { nextCursor: `${page + 1}` }),
      };
    });
    expect(names(await lists.get('tools'))).toEqual(['t0', 't1', 't2']);
    script.answers.set('tools/list', ({ cursor }) => ({
      tools: [{ name: `t${Number(cursor ?? 0)}` }],
      nextCursor: `${Number(cursor ?? 0) + 1}`,
    }));
    expect((await lists.get('tools')).items).toHaveLength(100);
    script.answers.set('tools/list', () => ({ tools: [{ name: 'same' }], nextCursor: 'same' }));
    expect((await lists.get('tools')).items).toHaveLength(2);
  });

  test('are empty without a question where the server has no such thing', async () => {
    const { lists, script } = begin();
    expect(await lists.get('prompts')).toEqual({ items: [] });
    expect(script.count('prompts/list')).toBe(0);
  });
});
