import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  circuitLevel,
  circuitName,
  providerCircuitName,
  serverCircuitName,
  toolCircuitName,
} from './circuit-names.ts';

describe('names of circuits', () => {
  test.each([
    ['search', undefined, 'search'],
    ['search', 'github', 'github/search'],
    ['a/b', 'github', 'github/a/b'],
    ['b', 'github/a', 'github%2Fa/b'],
    ['x', 'server:y', 'server%3Ay/x'],
    ['github/search', undefined, 'tool:github/search'],
    ['server:github', undefined, 'tool:server:github'],
    ['provider:github', undefined, 'tool:provider:github'],
    ['tool:x', undefined, 'tool:tool:x'],
    ['', undefined, 'tool:'],
    ['', 'github', 'github/'],
    ['github:search', undefined, 'github:search'],
  ])('tool %j of server %j has circuit %j', (tool, server, name) => {
    expect(toolCircuitName(tool, server)).toBe(name);
    expect(circuitLevel(name)).toBe('tool');
  });

  test('servers and providers have names of their own level', () => {
    expect(serverCircuitName('github')).toBe('server:github');
    expect(serverCircuitName(':/')).toBe('server:%3A%2F');
    expect(circuitLevel(serverCircuitName('github'))).toBe('server');
    expect(providerCircuitName('a/b')).toBe('provider:a%2Fb');
    expect(circuitLevel(providerCircuitName('a/b'))).toBe('provider');
  });

  test('are cut at 200 characters', () => {
    expect(circuitName('x'.repeat(200))).toHaveLength(200);
    expect(circuitName('x'.repeat(201))).toHaveLength(200);
    expect(toolCircuitName('x'.repeat(1_000_000), 'github')).toHaveLength(200);
  });

  test('never mix up two places that differ', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', ':', '%', 'server:', 'tool:', '2F') });
    const place = fc.oneof(
      fc.tuple(fc.constant('tool'), part, fc.option(part, { nil: undefined })),
      fc.tuple(fc.constant('server'), part, fc.constant(undefined)),
      fc.tuple(fc.constant('provider'), part, fc.constant(undefined)),
    );
    const nameOf = ([level, name, server]: readonly [
      string,
      string,
      string | undefined,
    ]): string =>
      level === 'tool'
        ? toolCircuitName(name, server)
        : level === 'server'
          ? serverCircuitName(name)
          : providerCircuitName(name);
    fc.assert(
      fc.property(place, place, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(nameOf(one) === nameOf(other)).toBe(isSame);
      }),
    );
  });
});
