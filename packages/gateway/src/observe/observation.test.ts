import { Circuits, systemClock } from '@holdfast/core/guard';
import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import { Redactor } from '../redact/redactor.ts';
import { callEnded, turnEnded } from './gateway-event.case.ts';
import { Observation } from './observation.ts';

/** At two hundred events a second, all of them together may take two per cent of the time. */
const EVENTS_PER_SECOND = 200;
const SHARE = 0.02;

test('two hundred events a second on a thousand circuits cost less than two per cent of a core', () => {
  const watched = new Observation({
    clock: systemClock,
    redactor: new Redactor(['a-secret-of-the-configuration']),
    settings: () => CONFIG_DEFAULTS.observe,
  });
  const report = watched.reporter('mcp');
  const circuits = new Circuits();
  const failed = { outcome: 'failed', class: 'server', message: 'HTTP 502 Bad Gateway' } as const;
  const emit = (event: number): void => {
    const tool = `tool-${event % 1000}`;
    const circuit = circuits.get(tool);
    const permit = circuit.acquire();
    if (!('isRefused' in permit)) circuit.settle(permit);
    report.settled(circuit);
    if (event % 4 === 0) report.emit(turnEnded({ id: tool }));
    // One call in ten fails, which costs the most: its texts are searched for secrets.
    else report.ended(callEnded({ tool, ...(event % 10 === 1 ? failed : {}) }));
  };
  for (let event = 0; event < 10_000; event++) emit(event);
  const before = process.cpuUsage();
  const events = 20_000;
  for (let event = 0; event < events; event++) emit(event);
  const { user, system } = process.cpuUsage(before);
  const microseconds = (user + system) / events;
  expect(microseconds).toBeLessThan((SHARE * 1_000_000) / EVENTS_PER_SECOND);
});
