import { describe, expect, test } from 'vitest';
import { ToolPaths } from './tool-paths.ts';

describe('names by where a tool lives', () => {
  test('are put together once', () => {
    const paths = new ToolPaths();
    const path = paths.of('search', 'github', 'acme');
    expect(path).toMatchObject({
      toolCircuit: 'github/search',
      serverCircuit: 'server:github',
      providerCircuit: 'provider:acme',
    });
    expect(paths.of('search', 'github', 'acme')).toBe(path);
  });

  test('differ for tools of the same name in different places', () => {
    const paths = new ToolPaths();
    for (let round = 0; round < 2; round++) {
      expect(paths.of('search', 'github', 'acme').toolCircuit).toBe('github/search');
      expect(paths.of('search', 'gitlab', 'acme').toolCircuit).toBe('gitlab/search');
      expect(paths.of('search', 'gitlab', 'other').providerCircuit).toBe('provider:other');
      expect(paths.of('search', undefined, undefined)).toMatchObject({
        toolCircuit: 'search',
        serverCircuit: undefined,
        providerCircuit: undefined,
      });
    }
  });

  test('are not kept for a flood of tools, or for one with an endless name', () => {
    const paths = new ToolPaths();
    const first = paths.of('first', undefined, undefined);
    for (let at = 0; at < 999; at++) paths.of(`made-up-${at}`, undefined, undefined);
    expect(paths.of('first', undefined, undefined)).toBe(first);
    paths.of('one more', undefined, undefined);
    expect(paths.of('first', undefined, undefined)).not.toBe(first);
    const longest = 'x'.repeat(200);
    expect(paths.of(longest, undefined, undefined)).toBe(paths.of(longest, undefined, undefined));
    const endless = 'x'.repeat(201);
    const path = paths.of(endless, undefined, undefined);
    expect(paths.of(endless, undefined, undefined)).not.toBe(path);
  });
});
