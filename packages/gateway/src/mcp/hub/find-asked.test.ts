import { describe, expect, test } from 'vitest';
import type { ClientView, Exchange } from '../exchange.ts';
import type { ClientSession } from './client-session.ts';
import { findAsked } from './find-asked.ts';

const nobody = (): Promise<never> => Promise.reject(new Error('not asked here'));

function client(key: string, more: Partial<ClientView> = {}): ClientView {
  const about = { era: 'legacy', capabilities: {}, info: undefined, logLevel: undefined } as const;
  return { key, ...about, ...more };
}

function exchange(view: ClientView): Exchange {
  const { signal } = new AbortController();
  return { client: view, signal, ask: nobody, notify: () => undefined };
}

function session(key: string): ClientSession {
  return { client: client(key), listensTo: () => false, ask: nobody, notify: () => undefined };
}

const GUESSED = client('same', { era: 'modern', isGuessed: true });

describe('what a server asks', () => {
  test('goes to the newest request of the client all of whose requests run', () => {
    const [older, newer] = [exchange(client('a')), exchange(client('a'))];
    expect(findAsked(new Set([older, newer]), [session('b')])).toBe(newer);
  });

  test('goes to the only client there is while no request runs', () => {
    const only = session('a');
    expect(findAsked(new Set(), [only])).toBe(only);
  });

  test.each([
    ['requests of two clients run', [client('a'), client('b')], []],
    ['one of several requests is of another', [client('a'), client('a'), client('b')], []],
    ['two requests run that may be of two clients of one name', [GUESSED, GUESSED], []],
    ['nothing runs, and two clients are there', [], ['a', 'b']],
    ['nobody is there', [], []],
  ])('goes to nobody where %s', (_when, running, sessions) => {
    expect(findAsked(new Set(running.map(exchange)), sessions.map(session))).toBeUndefined();
  });

  test('goes to a client of whom only the name is known while it alone is served', () => {
    const only = exchange(GUESSED);
    expect(findAsked(new Set([only]), [session('b')])).toBe(only);
  });
});
