import { describe, expect, test } from 'vitest';
import { CIRCUIT_DEFAULTS } from '../breaker/circuit-options.ts';
import { createNamedCircuits } from './create-named-circuits.ts';
import { NAMED_CIRCUITS } from './named-circuits.ts';
import { TOOL_CIRCUITS } from './tool-circuits.ts';

const circuitRows: readonly (readonly [string, number, number, number])[] = [
  ['github:search', 2, 1, 60_000],
  ['github:content', 3, 1, 30_000],
  ['github:pulls', 3, 1, 30_000],
  ['lsp:navigation', 3, 2, 30_000],
  ['lsp:hierarchy', 2, 2, 30_000],
  ['local', 3, 1, 15_000],
  ['package', 3, 1, 30_000],
];

const toolRows: readonly (readonly [string, string])[] = [
  ['githubSearchCode', 'github:search'],
  ['githubSearchRepositories', 'github:search'],
  ['githubSearchPullRequests', 'github:pulls'],
  ['githubGetFileContent', 'github:content'],
  ['githubViewRepoStructure', 'github:content'],
  ['lspGotoDefinition', 'lsp:navigation'],
  ['lspFindReferences', 'lsp:navigation'],
  ['lspCallHierarchy', 'lsp:hierarchy'],
  ['localSearchCode', 'local'],
  ['localGetFileContent', 'local'],
  ['localFindFiles', 'local'],
  ['localViewStructure', 'local'],
  ['packageSearch', 'package'],
];

describe('named circuits', () => {
  test.each([...circuitRows, ['any other', 3, 2, 30_000] as const])(
    '%s opens after %i failures in a row, closes after %i successes, and is open for %i ms',
    (name, consecutiveFailures, successesToClose, openForMs) => {
      expect(createNamedCircuits().get(name).settings).toEqual({
        ...CIRCUIT_DEFAULTS,
        consecutiveFailures,
        successesToClose,
        openForMs,
        failureRatio: Infinity,
        probeLeaseMs: 90_000,
      });
    },
  );

  test.each(toolRows)('%s uses %s', (tool, circuit) => {
    expect(
      createNamedCircuits()
        .forTool(tool)
        .map(({ name }) => name),
    ).toEqual([circuit]);
  });

  test('are these and no others', () => {
    expect(Object.keys(NAMED_CIRCUITS)).toEqual(circuitRows.map(([name]) => name));
    expect(Object.entries(TOOL_CIRCUITS)).toEqual(toolRows);
  });

  test('can be set otherwise, one by one', () => {
    const circuits = createNamedCircuits({
      defaults: { openForMs: 1000 },
      overrides: { local: { consecutiveFailures: 9 } },
      tools: { localFindFiles: 'files' },
      maxCircuits: 5,
    });
    expect(circuits.get('local').settings).toMatchObject({
      consecutiveFailures: 9,
      successesToClose: 2,
      openForMs: 1000,
    });
    expect(circuits.get('package').settings.openForMs).toBe(30_000);
    expect(circuits.forTool('localFindFiles')[0].name).toBe('files');
    expect(circuits.forTool('localSearchCode')[0].name).toBe('local');
  });
});
