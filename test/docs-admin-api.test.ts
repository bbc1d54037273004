import type { JsonObject } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../packages/gateway/src/admin/create-admin.ts';
import { CONFIG_DEFAULTS } from '../packages/gateway/src/config/config-defaults.ts';
import { formatConfigProblem } from '../packages/gateway/src/config/config-problem.ts';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import { Redactor } from '../packages/gateway/src/redact/redactor.ts';
import { Observation } from '../packages/gateway/src/observe/observation.ts';
import { Isolations } from '../packages/gateway/src/fleet/isolations.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { readPage } from './support/markdown.ts';
import { code, tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/admin-api.md';

/** `GET /api/v1/tools`, for all of them. */
function described(): string[] {
  const { upstream: _, ...config } = { ...CONFIG_DEFAULTS, upstreams: [] };
  const admin = createAdmin({
    config: () => config,
    proxy: () => ({}),
    mcp: () => ({}),
    version: '1.2.3',
    gateway: () => 'here',
    clock: systemClock,
    watched: new Observation({
      clock: systemClock,
      redactor: new Redactor(),
      settings: () => config.observe,
    }),
    circuits: () => [],
    isolations: new Isolations({ clock: systemClock, log: memoryLogger() }),
  });
  return Object.entries(admin.described.paths).flatMap(([path, methods]) =>
    Object.keys(methods as JsonObject).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

describe(PAGE, () => {
  it('has a row for every path, and for no other', () => {
    const told = tableRows(PAGE, '| path | what it tells or does |').map(([path]) => code(path!));
    expect(told.sort()).toEqual(described().sort());
  });

  it('shows a configuration that is valid', () => {
    const shown = readPage(readText(PAGE)).fences.filter(({ language }) => language === 'yaml');
    expect(shown).toHaveLength(1);
    for (const { body } of shown) {
      const loaded = loadConfig(body.join('\n'), { file: PAGE, env: {} });
      if (!loaded.ok) throw new Error(loaded.problems.map(formatConfigProblem).join('\n'));
      expect(loaded.config.observe).toEqual({ ...CONFIG_DEFAULTS.observe, capture: true });
    }
  });

  it('names every type of event', () => {
    const told = tableRows(PAGE, '| type | when |').flatMap(([types]) =>
      types!.split(', ').map((type) => code(type)),
    );
    const source = [
      'packages/gateway/src/observe/gateway-event.ts',
      'packages/gateway/src/mcp/call/call-event.ts',
      'packages/core/src/guard/guard-event.ts',
      'packages/core/src/advise/advisor-event.ts',
    ].map(readText);
    const types = source.flatMap((text) =>
      [...text.matchAll(/readonly type: '([a-z-]+)'/g)].map(([, type]) => type!),
    );
    expect(told.sort()).toEqual([...new Set(types)].sort());
  });
});
