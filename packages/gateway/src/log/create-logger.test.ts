import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';
import type { CreateLoggerOptions } from './create-logger.ts';
import type { Logger } from './logger.ts';
import { Redactor } from './redactor.ts';

function logger(options: Partial<CreateLoggerOptions> = {}): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string): void => void lines.push(line) };
  return { log: createLogger({ level: 'info', destination, ...options }), lines };
}

test('a line is one JSON object with level, time, message and fields', () => {
  const { log, lines } = logger();

  log.child({ requestId: 'req_1' }).info({ status: 200 }, 'request answered');

  expect(lines).toHaveLength(1);
  const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(rest).toEqual({
    level: 'info',
    requestId: 'req_1',
    status: 200,
    msg: 'request answered',
  });
});

test.each([
  ['debug', 4],
  ['warn', 2],
  ['silent', 0],
] as const)('at level %s, %i of four are written', (level, count) => {
  const { log, lines } = logger({ level });

  log.debug({}, '1');
  log.info({}, '2');
  log.warn({}, '3');
  log.error({}, '4');

  expect(lines).toHaveLength(count);
});

test('no secret is written, wherever it stands', () => {
  const { log, lines } = logger({ redactor: new Redactor(['CANARY-configured']) });

  log.child({ authorization: 'Bearer CANARY-child', note: 'CANARY-configured' }).error(
    {
      headers: { 'x-api-key': 'CANARY-header', cookie: 'CANARY-cookie' },
      error: new Error('for CANARY-configured', { cause: new Error('Bearer CANARY-cause-123') }),
      url: 'http://me:CANARY-password@host/',
      nested: [{ deep: { apiKey: 'CANARY-deep' } }],
    },
    'failed with api_key=CANARY-message and CANARY-configured',
  );

  expect(lines.join('')).toContain('failed with');
  expect(lines.join('')).not.toContain('CANARY');
});

test.each(['json', 'text'] as const)('as %s, no value can begin a line of its own', (format) => {
  const { log, lines } = logger({ format });

  log.info({ path: '/x\n{"level":"error"}\r\u2028\u001b[2J\u009b2J' }, 'one\ntwo');

  expect(lines).toHaveLength(1);
  expect(lines[0]!.slice(0, -1)).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028]/);
});

test('what was logged last is written when the process exits at once', () => {
  const script = `
    import { createLogger } from ${JSON.stringify(new URL('create-logger.ts', import.meta.url).href)};
    createLogger({ level: 'info' }).info({}, 'the last words');
    process.exit(0);`;

  const { stderr, stdout } = spawnSync(
    process.execPath,
    ['--conditions=@holdfast/source', '--import', 'tsx', '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );

  expect(stderr).toContain('"msg":"the last words"');
  expect(stdout).toBe('');
});
