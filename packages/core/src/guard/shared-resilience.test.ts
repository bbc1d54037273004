import { describe, expect, test } from 'vitest';
import { CircuitOpenError } from '../errors.ts';
import {
  configureCircuit,
  sharedResilience,
  withCircuitBreaker,
  withGitHubResilience,
  withLocalResilience,
  withLspResilience,
  withPackageResilience,
  withResilience,
} from './shared-resilience.ts';

const fail = (): Promise<never> => Promise.reject(new Error('down'));

describe('the shared functions', () => {
  test('use one set of circuits', async () => {
    configureCircuit('shared-test', { consecutiveFailures: 1 });
    await expect(withCircuitBreaker('shared-test', fail)).rejects.toThrow('down');
    await expect(withCircuitBreaker('shared-test', () => 1)).rejects.toThrow(CircuitOpenError);
    expect(
      await withCircuitBreaker(
        'shared-test',
        () => 1,
        () => 2,
      ),
    ).toBe(2);
    expect(sharedResilience().circuits.healthy('shared-test')).toBe(false);
  });

  test.each([
    ['github:search', withGitHubResilience, 'githubSearchCode'],
    ['lsp:navigation', withLspResilience, 'lspGotoDefinition'],
    ['local', withLocalResilience, 'localFindFiles'],
    ['package', withPackageResilience, 'packageSearch'],
  ] as const)('send tools through %s', async (circuit, run, tool) => {
    const before = sharedResilience().circuits.get(circuit).metrics().successes;
    expect(await run(() => 'ok', tool)).toBe('ok');
    expect(sharedResilience().circuits.get(circuit).metrics().successes).toBe(before + 1);
  });

  test('send a tool nobody mapped through the circuit of its category', async () => {
    expect(await withResilience('package', () => 'ok', { tool: 'crateSearch' })).toBe('ok');
    expect(sharedResilience().circuits.get('package').metrics().successes).toBeGreaterThan(0);
  });
});
