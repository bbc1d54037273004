import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../log/create-logger.ts';
import { Redactor } from '../redact/redactor.ts';
import { openLogRecords } from './open-log-records.ts';

/** What `@opentelemetry/api-logs` leaves behind when a provider is made the one for all. */
function registerProvider(records: unknown[], interfaceVersion = 1): void {
  const key = Symbol.for('io.opentelemetry.js.api.logs');
  const provider = {
    getLogger: (name: string, version: string) => ({
      emit: (record: object) => void records.push({ scope: `${name} ${version}`, ...record }),
    }),
  };
  const none = { getLogger: () => ({ emit: () => undefined }) };
  Reflect.set(globalThis, key, (asked: number) => (asked === interfaceVersion ? provider : none));
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
}

describe('lines of the log', () => {
  test('are records of the SDK that collects logs, without secrets', () => {
    const records: unknown[] = [];
    registerProvider(records);
    const onLine = openLogRecords('1.2.3');
    const log = createLogger({
      level: 'info',
      redactor: new Redactor(['CANARY-secret-value']),
      destination: { write: () => undefined },
      ...(onLine && { onLine }),
    });
    const ids = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };
    log.child({ requestId: 'r1', ...ids }).warn({ attempts: 2 }, 'no CANARY-secret-value here');
    log.debug({}, 'not wanted');

    expect(records).toEqual([
      {
        scope: 'holdfast 1.2.3',
        timestamp: expect.any(Number) as number,
        severityNumber: 13,
        severityText: 'warn',
        body: 'no *** here',
        attributes: { requestId: 'r1', attempts: 2 },
      },
    ]);
  });

  test('go nowhere else without one, or with one of another kind', () => {
    expect(openLogRecords('1')).toBeUndefined();
    Reflect.set(globalThis, Symbol.for('io.opentelemetry.js.api.logs'), () => undefined);
    expect(openLogRecords('1')).toBeUndefined();
    const records: unknown[] = [];
    registerProvider(records, 2);
    openLogRecords('1')?.('{"level":"info","msg":"hello"}');
    expect(records).toEqual([]);
  });
});
