import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@holdfast/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { Redactor } from '../redact/redactor.ts';
import { traceRecord } from './trace-record.case.ts';
import { TraceWriter } from './trace-writer.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-trace-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function onlyFile(directory: string): Promise<string> {
  const names = await readdir(directory);
  expect(names).toHaveLength(1);
  return readFile(join(directory, names[0]!), 'utf8');
}

test('a trace tells the request, the upstream and the calls the client was told', async () => {
  const directory = await folder();

  await new TraceWriter({ directory, log: memoryLogger(), clock: new ManualClock() }).write(
    traceRecord(),
  );

  expect(JSON.parse(await onlyFile(directory))).toEqual({
    time: '2026-01-01T00:00:00.000Z',
    id: 'req_1',
    request: {
      protocol: 'chat',
      model: 'qwen3',
      path: '/v1/chat/completions',
      headers: { 'user-agent': 'test' },
      body: { model: 'qwen3', messages: [{ role: 'user', content: 'read it' }], max_tokens: 5 },
    },
    upstream: { name: 'local', url: 'http://127.0.0.1:1234/v1', status: 200 },
    response: {
      status: 200,
      text: 'I read it.',
      reasoning: '',
      tool_calls: [{ id: 'call_1', name: 'read_file', arguments: { path: 'a.txt' } }],
      finish_reason: 'tool-calls',
      format: ['hermes'],
      repairs: [],
      issues: [],
      usage: { inputTokens: 3, outputTokens: 4 },
    },
    durationMs: 12,
  });
});

test('only its owner can read a trace, and its folder', async () => {
  const directory = join(await folder(), 'made', 'here');

  await new TraceWriter({ directory, log: memoryLogger() }).write(traceRecord());

  const [name] = await readdir(directory);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, name!))).mode & 0o777).toBe(0o600);
});

test('no secret of the request, the configuration or the answer is in a trace', async () => {
  const directory = await folder();
  const redactor = new Redactor(['CANARY-config-token']);
  const record = traceRecord();

  await new TraceWriter({ directory, log: memoryLogger(), redactor }).write({
    ...record,
    request: {
      ...record.request,
      headers: {
        authorization: 'Bearer CANARY-client-key',
        'x-api-key': 'CANARY-api-key',
        'x-holdfast-token': 'CANARY-config-token',
        cookie: 'session=CANARY-cookie',
        'set-cookie': ['CANARY-set-cookie'],
      },
      body: {
        api_key: 'CANARY-body-key',
        nested: [{ password: 'CANARY-password', token: ['CANARY-listed'] }],
        messages: [{ role: 'user', content: 'my key is CANARY-client-key, use it' }],
        'CANARY-api-key': 1,
        text: '{"password": "CANARY-quoted"}',
      },
    },
    upstream: {
      name: 'local',
      url: 'http://someone:CANARY-url-password@127.0.0.1:1234/v1?key=CANARY-query',
      status: 401,
    },
    response: {
      ...record.response,
      text: 'You sent CANARY-client-key and CANARY-config-token.',
      tool_calls: [
        { id: 'a', name: 'login', arguments: { password: 'CANARY-argument', user: 'someone' } },
      ],
      issues: [{ code: 'x', message: 'incorrect key CANARY-api-key' }],
      error: { kind: 'authentication', message: 'bad key: CANARY-client-key' },
    },
  });

  const text = await onlyFile(directory);
  expect(text).not.toContain('CANARY');
  expect(JSON.parse(text)).toMatchObject({
    request: { body: { messages: [{ content: 'my key is ***, use it' }] } },
    upstream: { url: 'http://127.0.0.1:1234/v1' },
    response: { tool_calls: [{ arguments: { password: '***', user: 'someone' } }] },
  });
});

test('the name of a file is safe whatever the id is, and two requests with one id have two', async () => {
  const directory = await folder();
  const writer = new TraceWriter({ directory, log: memoryLogger(), clock: new ManualClock() });

  await writer.write(traceRecord({ id: '../../etc/x' }));
  await writer.write(traceRecord({ id: '../../etc/x' }));

  expect(await readdir(directory)).toEqual([
    '2026-01-01T00-00-00-000Z-000001-______etc_x.json',
    '2026-01-01T00-00-00-000Z-000002-______etc_x.json',
  ]);
});

test('a long text and a large body are cut, and say so', async () => {
  const directory = await folder();
  const record = traceRecord();
  const image = 'A'.repeat(5_000_000);
  const content = Array.from({ length: 30 }, () => ({ image }));

  await new TraceWriter({ directory, log: memoryLogger() }).write({
    ...record,
    request: { ...record.request, body: { content } },
    response: { ...record.response, text: image },
  });

  const text = await onlyFile(directory);
  expect(text.length).toBeLessThan(1_300_000);
  expect(text).toContain('[cut, 5000000 characters in all]');
});

test('a folder that cannot be written is logged once and fails nothing', async () => {
  const file = join(await folder(), 'a-file');
  await writeFile(file, '');
  const log = memoryLogger();
  const writer = new TraceWriter({ directory: join(file, 'inside'), log });

  await writer.write(traceRecord());
  await writer.write(traceRecord());

  expect(log.entries).toEqual([
    expect.objectContaining({ level: 'warn', message: 'traces cannot be written' }),
  ]);
});

test('a flush waits for what was not waited for', async () => {
  const directory = await folder();
  const writer = new TraceWriter({ directory, log: memoryLogger() });

  void writer.write(traceRecord());
  await writer.flush();

  expect(await readdir(directory)).toHaveLength(1);
});
