import type { ToolDefinition } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import type { TurnError } from '../turn/turn-error.ts';
import type { AnswerFacts } from './tool-modes.ts';
import { ToolModes } from './tool-modes.ts';

const upstream = (fields: Partial<UpstreamConfig> = {}): UpstreamConfig => ({
  ...CONFIG_DEFAULTS.upstream,
  name: 'local',
  url: 'http://127.0.0.1:1/v1',
  ...fields,
});
const auto = upstream();

const NO_TOOLS: TurnError = {
  kind: 'invalid-request',
  message: 'upstream "local" answered 400: gemma3:4b does not support tools',
  status: 400,
};
const BUSY: TurnError = { kind: 'overloaded', message: 'busy', status: 503 };

/** 100 tokens at the least. */
const TOOLS: readonly ToolDefinition[] = [
  { name: 'abcdefgh', description: 'abcdefgh'.repeat(99), parameters: { type: 'object' } },
];

const answer = (fields: Partial<AnswerFacts> = {}): AnswerFacts => ({
  tools: TOOLS,
  usage: undefined,
  callCount: 0,
  isCallRequired: false,
  ...fields,
});
const counted = (inputTokens: number, cachedTokens = 0): Partial<AnswerFacts> => ({
  usage: { inputTokens, outputTokens: 1, cachedTokens },
});

describe('the mode of a model', () => {
  test('is what the configuration says, and nothing is learnt then', () => {
    const modes = new ToolModes();
    for (const toolMode of ['native', 'prompt'] as const) {
      const fixed = upstream({ toolMode });
      expect(modes.refused(fixed, 'm', NO_TOOLS)).toBe(false);
      modes.answered(fixed, 'm', answer(counted(1)));
      expect(modes.modeFor(fixed, 'm')).toBe(toolMode);
    }
    expect(modes.entries()).toEqual([]);
  });

  test('is native in auto mode until something else is known', () => {
    expect(new ToolModes().modeFor(auto, 'm')).toBe('native');
  });

  test('is native where the upstream does not speak chat, as nothing else can be prompted', () => {
    const modes = new ToolModes();
    const other = upstream({ protocols: ['messages', 'responses'] });
    expect(modes.modeFor({ ...other, toolMode: 'prompt' }, 'm')).toBe('native');
    expect(modes.refused(other, 'm', NO_TOOLS)).toBe(false);
    expect(modes.modeFor(other, 'm')).toBe('native');
  });
});

describe('tools that are refused', () => {
  test('are prompted from then on, for that model of that upstream only', () => {
    const modes = new ToolModes();
    expect(modes.refused(auto, 'gemma3', NO_TOOLS)).toBe(true);
    expect(modes.modeFor(auto, 'gemma3')).toBe('prompt');
    expect(modes.modeFor(auto, 'qwen3')).toBe('native');
    expect(modes.modeFor(upstream({ name: 'other' }), 'gemma3')).toBe('native');
    expect(modes.entries()).toEqual([
      {
        upstream: 'local',
        model: 'gemma3',
        mode: 'prompt',
        why: 'the upstream refused the tools field',
      },
    ]);
  });

  test('are noticed by each of several turns that were under way', () => {
    const modes = new ToolModes();
    expect(modes.refused(auto, 'm', NO_TOOLS)).toBe(true);
    expect(modes.refused(auto, 'm', NO_TOOLS)).toBe(true);
  });

  test('are no other error', () => {
    const modes = new ToolModes();
    expect(modes.refused(auto, 'm', BUSY)).toBe(false);
    expect(modes.modeFor(auto, 'm')).toBe('native');
  });
});

describe('tools that a template leaves out', () => {
  test('are noticed when all input is shorter than they are', () => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', answer(counted(99)));
    expect(modes.modeFor(auto, 'm')).toBe('prompt');
    expect(modes.entries()[0]?.why).toBe('the upstream counted fewer tokens than the tools have');
  });

  test.each<[string, Partial<AnswerFacts>]>([
    ['the input is as long', counted(100)],
    ['the input is as long with what was cached', counted(100, 90)],
    ['nothing is counted', {}],
    ['the count is 0', counted(0)],
    ['a call came', { ...counted(50), callCount: 1 }],
    ['no tools were offered', { ...counted(1), tools: [] }],
    [
      'the tools are too short to tell',
      { ...counted(1), tools: [{ name: 'f', description: 'abcdefgh'.repeat(39) }] },
    ],
    [
      'most of the tools is space, or one character again and again',
      {
        ...counted(50),
        tools: [{ name: 'f', description: `a${' '.repeat(999)}${'='.repeat(999)}` }],
      },
    ],
  ])('are not suspected if %s', (_, facts) => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', answer(facts));
    expect(modes.modeFor(auto, 'm')).toBe('native');
  });

  test('are not suspected of a model that called one before: its server counts in another way', () => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', answer({ ...counted(500), callCount: 1 }));
    modes.answered(auto, 'm', answer(counted(5)));
    expect(modes.modeFor(auto, 'm')).toBe('native');
    expect(modes.entries()).toMatchObject([{ mode: 'native', why: 'the model called a tool' }]);
  });

  test('count with the names of their parameters', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [`abcdef${10 + at}`, { type: 'string' }]),
    );
    const tools = [{ name: 'abcdefgh', parameters: { type: 'object', properties } }];
    const modes = new ToolModes();
    modes.answered(auto, 'm', answer({ ...counted(90), tools }));
    expect(modes.modeFor(auto, 'm')).toBe('prompt');
  });
});

describe('a call that was required', () => {
  const missed = answer({ isCallRequired: true });

  test('and did not come twice in a row means that the tools are ignored', () => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', missed);
    expect(modes.modeFor(auto, 'm')).toBe('native');
    // A turn that may end without a call says nothing.
    modes.answered(auto, 'm', answer());
    modes.answered(auto, 'm', missed);
    expect(modes.modeFor(auto, 'm')).toBe('prompt');
    expect(modes.entries()[0]?.why).toBe('2 calls were required in a row, and none came');
  });

  test('is forgotten when one comes', () => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', missed);
    modes.answered(auto, 'm', answer({ callCount: 1 }));
    modes.answered(auto, 'm', missed);
    expect(modes.modeFor(auto, 'm')).toBe('native');
  });

  test('of another model is not counted', () => {
    const modes = new ToolModes();
    modes.answered(auto, 'm', missed);
    modes.answered(auto, 'n', missed);
    expect(modes.modeFor(auto, 'm')).toBe('native');
    expect(modes.modeFor(auto, 'n')).toBe('native');
  });
});

describe('what is remembered', () => {
  test('is bounded: the model that was used least recently is forgotten', () => {
    const modes = new ToolModes(3);
    for (const model of ['a', 'b', 'c']) modes.refused(auto, model, NO_TOOLS);
    modes.modeFor(auto, 'a');
    modes.refused(auto, 'd', NO_TOOLS);
    expect(modes.entries().map(({ model }) => model)).toEqual(['c', 'a', 'd']);
    expect(modes.modeFor(auto, 'b')).toBe('native');
  });

  test('is at most a thousand models', () => {
    const modes = new ToolModes();
    for (let at = 0; at < 1_500; at++) modes.refused(auto, `m${at}`, NO_TOOLS);
    expect(modes.entries()).toHaveLength(1_000);
  });

  test('is not changed by a late answer to a turn that was asked before', () => {
    const modes = new ToolModes();
    modes.refused(auto, 'm', NO_TOOLS);
    modes.answered(auto, 'm', answer({ callCount: 1 }));
    expect(modes.modeFor(auto, 'm')).toBe('prompt');
  });
});
