import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../redact/redactor.ts';
import { CapturedTurn } from '../proxy/capture/captured-turn.ts';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { Captures } from './captures.ts';
import { turnEnded } from './gateway-event.case.ts';
import type { TurnEnded } from './gateway-event.ts';
import { Observer } from './observer.ts';
import { MOST_MODELS, MOST_TURNS, TurnStatistics } from './turn-statistics.ts';

const SECRET = 'CANARY-of-the-configuration';
const CLIENT_KEY = 'CANARY-of-the-client';
const CALL =
  '<tool_call>{"name": "login", "arguments": {"user": "ada lovelace", "pin": 1234}}</tool_call>';
const TOOLS = [
  {
    name: 'login',
    parameters: { type: 'object', properties: { user: {}, pin: {} } },
  },
];

function turns(changed: { capture?: boolean; reveal?: boolean; captureRequests?: number } = {}) {
  const settings = { capture: true, reveal: false, captureRequests: 100, ...changed };
  const observer = new Observer({ clock: new ManualClock(0, Date.UTC(2026, 0, 1)) });
  const captures = new Captures({ settings: () => settings });
  const counted = new TurnStatistics(captures);
  observer.subscribe((event) => counted.take(event));
  const ended = (about: Partial<TurnEnded> = {}, captured?: CapturedTurn) => {
    const turn = turnEnded(about);
    const body = { model: 'qwen3', tools: [], messages: [{ role: 'user', content: SECRET }] };
    const request = { body, model: 'qwen3', stream: true, tools: TOOLS };
    if (captured !== undefined)
      captures.keep(turn, captured, request, new Redactor([SECRET, CLIENT_KEY]));
    observer.emit('proxy', turn);
    return turn;
  };
  return { settings, captures, counted, ended };
}

function said(text: string): CapturedTurn {
  const captured = new CapturedTurn();
  captured.heard([{ type: 'text', choice: 0, text }]);
  captured.tell([
    { type: 'text', choice: 0, text: `Hello ${CLIENT_KEY}. ` },
    { type: 'text', choice: 0, text: 'More.' },
    {
      type: 'call',
      choice: 0,
      call: {
        index: 0,
        id: 'call_1',
        name: 'login',
        arguments: { user: 'ada lovelace', pin: 1234 },
        json: '{"user":"ada lovelace","pin":1234}',
        format: 'qwen',
        repairs: ['trailing-comma'],
      },
    },
  ]);
  return captured;
}

describe('the turns of a gateway', () => {
  test('are told newest first, page by page', () => {
    const { counted, ended } = turns();
    for (let turn = 1; turn <= 5; turn++) ended({ id: `t${turn}` });
    expect(counted.requests(2, Infinity)).toMatchObject([{ id: 't5', seq: 5 }, { id: 't4' }]);
    expect(counted.requests(2, 4)).toMatchObject([{ id: 't3' }, { id: 't2' }]);
    expect(counted.requests(10, 1)).toEqual([]);
    expect(counted.requests(1, Infinity)).toMatchObject([
      { model: 'qwen3', is_stream: true, first_byte_ms: 50, prompted_in: null, has_capture: false },
    ]);
  });

  test('are five hundred at most, and of two hundred models', () => {
    const { counted, ended } = turns();
    for (let turn = 0; turn < 2 * MOST_TURNS; turn++) ended({ model: `model-${turn}` });
    expect(counted.requests(100_000, Infinity)).toHaveLength(MOST_TURNS);
    const models = listOf(counted.parsing()['models']).map(objectOf);
    expect(models.length).toBeLessThanOrEqual(MOST_MODELS + 1);
    expect(models.at(-1)).toMatchObject({
      model: 'other',
      turns: 2 * MOST_TURNS - models.length + 1,
    });
  });

  test('show how the calls of each model were read', () => {
    const { counted, ended } = turns();
    const calls = [{ name: 'login' }];
    ended({ formats: ['qwen'], repairs: ['trailing-comma', 'single-quotes'], calls });
    ended({ formats: ['qwen', 'native'], repairs: ['trailing-comma'], calls });
    ended({ model: 'llama', issues: [{ code: 'incomplete-call', message: 'cut' }] });
    ended({ model: 'llama', issues: [{ code: 'unclosed-reasoning', message: 'x' }] });
    expect(counted.parsing()).toEqual({
      models: [
        {
          model: 'qwen3',
          turns: 2,
          calls: 2,
          formats: { qwen: 2, native: 1 },
          repairs: { 'trailing-comma': 2, 'single-quotes': 1 },
          unread: 0,
        },
        { model: 'llama', turns: 2, calls: 0, formats: {}, repairs: {}, unread: 1 },
      ],
      repairs: { 'trailing-comma': 2, 'single-quotes': 1 },
      unread: [
        {
          at: '2026-01-01T00:00:00.000Z',
          request_id: 'turn-1',
          model: 'llama',
          code: 'incomplete-call',
          message: 'cut',
          text: null,
        },
      ],
    });
  });
});

describe('what was said in a turn', () => {
  test('is shown without arguments', () => {
    const { counted, ended } = turns();
    ended({ id: 'one', issues: [{ code: 'incomplete-call', message: '' }] }, said(`Hi. ${CALL}`));
    expect(counted.requests(1, Infinity)).toMatchObject([{ has_capture: true }]);
    expect(counted.request('one')?.['capture']).toEqual({
      raw: 'Hi. <tool_call>{"name": "login", "arguments": {"user": "***", "pin": ***}}</tool_call>',
      raw_reasoning: '',
      told: [
        { kind: 'text', text: 'Hello ***. More.' },
        {
          kind: 'call',
          name: 'login',
          arguments: { user: '***', pin: '***' },
          format: 'qwen',
          repairs: ['trailing-comma'],
        },
      ],
      prompt: { model: 'qwen3', messages: [{ role: 'user', content: '***' }] },
      is_masked: true,
      is_cut: false,
    });
    expect(JSON.stringify(counted.parsing())).toContain('pin');
    expect(JSON.stringify(counted.parsing())).not.toContain('lovelace');
  });

  test('is shown with arguments where the configuration says so, and never with secrets', () => {
    const { counted, ended, settings } = turns();
    ended({ id: 'one' }, said(`${SECRET} ${CALL}`));
    settings.reveal = true;
    const capture = counted.request('one')?.['capture'];
    expect(capture).toMatchObject({ raw: `*** ${CALL}`, is_masked: false });
    expect(capture).toMatchObject({
      told: [{}, { arguments: { user: 'ada lovelace', pin: 1234 } }],
    });
    expect(JSON.stringify(capture)).not.toContain('CANARY');
  });

  test('shows the calls that the upstream has read itself behind its text', () => {
    const { counted, ended } = turns({ reveal: true });
    const captured = new CapturedTurn();
    captured.heard([
      { type: 'reasoning', choice: 0, text: 'Well.' },
      { type: 'text', choice: 0, text: 'I do.' },
      { type: 'text', choice: 1, text: 'Another answer.' },
      { type: 'call-fragment', choice: 0, slot: 0, name: 'login', json: '{"user": ' },
      { type: 'call-fragment', choice: 0, slot: 0, json: '"ada",}' },
    ]);
    ended({ id: 'one' }, captured);
    expect(counted.request('one')?.['capture']).toMatchObject({
      raw: 'I do.\n{"name": "login", "arguments": {"user": "ada",}}',
      raw_reasoning: 'Well.',
    });
  });

  test('is bounded: so many turns, and so much of each', () => {
    const { captures, ended, settings } = turns({ captureRequests: 2, reveal: true });
    const kept = [1, 2, 3].map(() => ended({}, said('x'.repeat(1_000_000))));
    expect(kept.map((turn) => captures.has(turn))).toEqual([false, true, true]);
    const last = kept.at(-1);
    const capture = last === undefined ? undefined : captures.of(last);
    expect(textOf(capture?.['raw']).length).toBeLessThan(500_000);
    expect(capture).toMatchObject({ is_cut: true });
    settings.captureRequests = 1;
    captures.trim();
    expect(kept.map((turn) => captures.has(turn))).toEqual([false, false, true]);
  });

  test('is forgotten when nobody wants it any more', () => {
    const { captures, ended, settings } = turns();
    const turn = ended({}, said('x'));
    settings.capture = false;
    captures.trim();
    expect([captures.isOn, captures.has(turn), captures.of(turn)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });
});
