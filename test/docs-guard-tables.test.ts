import { describe, expect, it } from 'vitest';
import {
  backoffDelay,
  Circuits,
  CIRCUITS_DEFAULTS,
  createNamedCircuits,
  NAMED_CIRCUITS,
  RESILIENCE_CATEGORIES,
  RETRY_DEFAULTS,
  TOOL_CIRCUITS,
} from '@holdfast/core/guard';
import { code, defaultsIn, literal, tableRows } from './support/markdown-tables.ts';

/** The number in a cell, in code or not. */
const number = (cell: string): unknown => literal(cell.replaceAll('`', ''));

describe('tables of circuits in the docs', () => {
  it('state the options that are in force', () => {
    const header = '| option | default | what it does |';
    expect(defaultsIn('docs/circuits.md', header)).toEqual(CIRCUITS_DEFAULTS);
  });

  it('state what tools, servers and providers have', () => {
    const header = '| level | `consecutiveFailures` | `failureRatio` | `windowMs` | `minCalls` |';
    const rows = tableRows('docs/circuits.md', header);
    const circuits = new Circuits().forTool('search', { server: 'github', provider: 'acme' });
    expect(rows.map(([level]) => level)).toEqual(['tool', 'server', 'provider']);
    expect(rows.map(([, ...cells]) => cells.map(number))).toEqual(
      circuits.map(({ settings }) => [
        settings.consecutiveFailures,
        settings.failureRatio,
        settings.windowMs,
        settings.minCalls,
      ]),
    );
  });
});

describe('tables of presets in the docs', () => {
  it('state how the named circuits are set', () => {
    const header =
      '| circuit | failures in a row that open it | successes that close it | open for |';
    const rows = tableRows('docs/presets.md', header);
    const circuits = createNamedCircuits();
    const names = [...Object.keys(NAMED_CIRCUITS).map((name) => `\`${name}\``), 'any other'];
    expect(rows.map(([name]) => name)).toEqual(names);
    for (const [name, failures, successes, openFor] of rows)
      expect(circuits.get(name!.replaceAll('`', '')).settings).toMatchObject({
        consecutiveFailures: number(failures!),
        successesToClose: number(successes!),
        openForMs: number(openFor!),
      });
  });

  it('state the circuit of each tool', () => {
    const rows = tableRows('docs/presets.md', '| tool | circuit |');
    const pairs = rows.map(([tool, circuit]) => [code(tool!), code(circuit!)]);
    expect(Object.fromEntries(pairs)).toEqual(TOOL_CIRCUITS);
  });

  it('state timeouts and delays of each category', () => {
    const header = '| category | timeout | attempts | delays | grows up to | retried |';
    const rows = tableRows('docs/presets.md', header);
    const told = rows.map(([category, timeout, attempts, delays, most]) => [
      code(category!),
      number(timeout!),
      number(attempts!),
      delays!.split(', ').map(number),
      number(most!),
    ]);
    const inForce = Object.entries(RESILIENCE_CATEGORIES).map(
      ([category, { timeoutMs, retry }]) => {
        const settings = { ...RETRY_DEFAULTS, ...(retry === false ? { maxRetries: 0 } : retry) };
        const { maxRetries, maxDelayMs } = settings;
        const retries = Array.from({ length: maxRetries }, (_, at) => at + 1);
        const delays = retries.map((retrying) => backoffDelay(retrying, settings, () => 1));
        return [category, timeoutMs, maxRetries + 1, delays, maxDelayMs];
      },
    );
    expect(told).toEqual(inForce);
  });
});
