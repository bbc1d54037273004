import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';
import type { CreateLoggerOptions } from './create-logger.ts';
import type { Logger } from './logger.ts';
import { Redactor } from '../redact/redactor.ts';

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

test.each(['json', 'text'] as const)('whoever listens gets each %s line as JSON too', (format) => {
  const heard: string[] = [];
  const { log, lines } = logger({
    format,
    redactor: new Redactor(['a-secret-key']),
    onLine: (line) => void heard.push(line),
  });
  log.info({ key: 'a-secret-key' }, 'with a-secret-key');
  log.debug({}, 'not logged');
  expect(lines).toHaveLength(1);
  expect(heard.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'info', key: '***', msg: 'with ***' }),
  ]);
});

test.each(['json', 'text'] as const)(
  '%s lines below a level can be left to those who listen',
  (format) => {
    const heard: string[] = [];
    const { log, lines } = logger({
      format,
      writeFrom: 'error',
      onLine: (line) => void heard.push(line),
    });

    log.info({}, 'one of thousands');
    log.warn({ level: 'error' }, 'of no weight');
    log.error({}, 'to be seen');

    expect(lines).toEqual([expect.stringContaining('to be seen')]);
    expect(heard).toHaveLength(3);
  },
);

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

test('drops and counts a record when the destination throws', () => {
  let dropped = 0;
  const destination = {
    write: (): void => {
      throw new Error('ENOSPC');
    },
  };
  const { log } = logger({ destination, onDrop: (records) => (dropped += records) });

  log.info({}, 'one');
  log.info({}, 'two');

  expect(dropped).toBe(2);
});

test('no field takes the place of the level, the time or the message', () => {
  const { log, lines } = logger({ format: 'json' });

  log.child({ msg: 'bound' }).info({ level: 'error', time: 'never', msg: 'other' }, 'said');

  for (const name of ['level', 'time', 'msg'])
    expect(lines[0]!.split(`"${name}":`)).toHaveLength(2);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'info',
    msg: 'said',
    'field.level': 'error',
    'field.time': 'never',
    'field.msg': 'other',
  });
});

/** A process that runs this, with `createLogger` at hand. */
function program(code: string): ChildProcessWithoutNullStreams {
  const source = JSON.stringify(new URL('create-logger.ts', import.meta.url).href);
  const script = `import { createLogger } from ${source};\n${code}`;
  const args = ['--conditions=@holdfast/source', '--import', 'tsx', '--input-type=module'];
  return spawn(process.execPath, [...args, '-e', script]);
}

test('what was logged last is written when the process exits at once', async () => {
  const child = program(`createLogger({ level: 'info' }).info({}, 'the last words');
    process.exit(0);`);

  const [errors, output] = await Promise.all([text(child.stderr), text(child.stdout)]);

  expect(errors).toContain('"msg":"the last words"');
  expect(output).toBe('');
});

test('when nobody reads standard error, lines are dropped and counted, and nothing waits', async () => {
  const child = program(`const log = createLogger({ level: 'info' });
    for (let line = 0; line < 20_000; line++) log.info({ text: '.'.repeat(1000) }, 'many');
    console.log('all said');
    process.stdin.resume();`);
  await new Promise((resolve) => child.stdout.once('data', resolve));

  child.stdin.end();
  const lines = (await text(child.stderr)).trimEnd().split('\n');
  const { msg, dropped } = JSON.parse(lines.at(-1)!) as Record<string, unknown>;

  expect(msg).toBe('log records were dropped, as standard error could not be written');
  expect(Number(dropped) + lines.length - 1).toBe(20_000);
});
