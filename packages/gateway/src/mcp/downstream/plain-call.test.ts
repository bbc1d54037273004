import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { CLIENT_CAPABILITIES, CLIENT_INFO, SERVER_INFO, VERSION } from '../envelope-keys.ts';
import type { ClientView } from '../exchange.ts';
import { isPlainLegacyCall, KnownClient, modernResult } from './plain-call.ts';

const ENVELOPE: JsonObject = {
  [VERSION]: '2026-07-28',
  [CLIENT_INFO]: { name: 'test', version: '1' },
  [CLIENT_CAPABILITIES]: { elicitation: {} },
};

const CLIENT: ClientView = {
  key: 'stdio',
  era: 'modern',
  capabilities: { elicitation: {} },
  info: { name: 'test', version: '1' },
  logLevel: undefined,
};

const again = (): JsonObject => JSON.parse(JSON.stringify(ENVELOPE)) as JsonObject;

describe('a call of a legacy client', () => {
  test.each<[JsonObject, boolean]>([
    [{ name: 'echo' }, true],
    [{ name: 'echo', _meta: { progressToken: 'a', 'my/key': 1 } }, true],
    [{ name: 'echo', _meta: { progressToken: {} } }, false],
    [{ name: 'echo', _meta: 'odd' }, false],
    [{ name: 'echo', _meta: ENVELOPE }, false],
    [{ name: 'echo', requestState: 'a' }, false],
    [{ name: 'echo', inputResponses: {} }, false],
  ])('%j is plain: %s', (params, isPlain) => {
    expect(isPlainLegacyCall(params)).toBe(isPlain);
  });
});

describe('a call of a modern client', () => {
  const known = new KnownClient();

  test('is of nobody before the SDK has let one through', () => {
    expect(known.of({ _meta: again() })).toBeUndefined();
  });

  test('is known by what it says of itself, and by all of it', () => {
    known.learn(ENVELOPE, CLIENT);
    expect(known.of({ _meta: { ...again(), progressToken: 5 } })).toBe(CLIENT);
    const others: readonly JsonObject[] = [
      {},
      { _meta: {} },
      { _meta: { ...again(), [VERSION]: '2099-01-01' } },
      { _meta: { ...again(), [CLIENT_INFO]: { name: 'other', version: '1' } } },
      { _meta: { ...again(), [CLIENT_CAPABILITIES]: [] } },
      { _meta: { ...again(), 'io.modelcontextprotocol/logLevel': 'debug' } },
      { _meta: { ...again(), progressToken: [] } },
      { _meta: again(), requestState: 'holdfast:1' },
      { _meta: again(), inputResponses: {} },
    ];
    expect(others.map((params) => known.of(params))).toEqual(others.map(() => undefined));
  });

  test('gets a result that says what it is and who answers, unless it says so itself', () => {
    const me = { name: 'holdfast', version: '0' };
    expect(modernResult({ content: [] }, me)).toEqual({
      content: [],
      resultType: 'complete',
      _meta: { [SERVER_INFO]: me },
    });
    const said = { name: 'server', version: '9' };
    expect(
      modernResult({ resultType: 'input_required', _meta: { [SERVER_INFO]: said, a: 1 } }, me),
    ).toEqual({ resultType: 'input_required', _meta: { [SERVER_INFO]: said, a: 1 } });
  });
});
