import { describe, expect, test } from 'vitest';
import { mergeCapabilities } from './merge-capabilities.ts';

describe('what servers have together', () => {
  test('is all that one has, and lists that may change', () => {
    const only = { tools: {}, logging: {}, extensions: { 'io.example/ui': {} } };
    expect(mergeCapabilities([only])).toEqual({ ...only, tools: { listChanged: true } });
  });

  test('is what can be put together of several', () => {
    const merged = mergeCapabilities([
      { tools: {}, extensions: { 'io.example/ui': {} } },
      { resources: { subscribe: true }, completions: {} },
    ]);
    expect(merged).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
  });

  test('may be anything that is listed where a server is not there yet', () => {
    const lists = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
    };
    expect(mergeCapabilities([undefined])).toEqual(lists);
    expect(mergeCapabilities([{ tools: {} }, undefined])).toEqual(lists);
    expect(mergeCapabilities([])).toEqual({});
  });
});
