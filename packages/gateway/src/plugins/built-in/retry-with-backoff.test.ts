import { describe, expect, test } from 'vitest';
import type { JsonValue } from '@holdfast/core';
import { hostOfYaml } from '../plugin-host.case.ts';
import { failed, post, text } from './built-in-plugin.case.ts';

describe('retry with backoff', () => {
  const retry = (config = '{}'): string =>
    `- { name: retry, kind: retry-with-backoff, config: ${config} }`;
  const delays = async (
    config: string,
    result: JsonValue,
    attempts: number,
  ): Promise<unknown[]> => {
    const run = (await hostOfYaml(retry(config))).begin();
    const found: unknown[] = [];
    for (let attempt = 0; attempt < attempts; attempt++) {
      await run.pre({});
      found.push((await run.post(result)).retryDelayMs);
    }
    return found;
  };

  test('waits twice as long each time, up to the longest, and then gives up', async () => {
    const config = '{ jitter: false, max_retries: 4, max_backoff_ms: 500 }';
    expect(await delays(config, failed('boom'), 5)).toEqual([200, 400, 500, 500, undefined]);
  });

  test('has a fresh budget after it gave up, and none with max_retries 0', async () => {
    const fresh = await delays('{ jitter: false, max_retries: 1 }', failed('boom'), 3);
    expect(fresh).toEqual([200, undefined, 200]);
    expect(await delays('{ max_retries: 0 }', failed('boom'), 1)).toEqual([undefined]);
  });

  test('asks for a retry even where chance draws no wait at all', async () => {
    expect((await post(retry(), failed('boom'), () => 0)).retryDelayMs).toBe(1);
    expect((await post(retry(), failed('boom'), () => 0.999)).retryDelayMs).toBe(199);
  });

  test('counts retries in the metadata', async () => {
    const { metadata } = await post(retry('{ jitter: false }'), failed('boom'));
    expect(metadata).toEqual({ retry_count: 1, retry_delay_ms: 200 });
  });

  test.each([
    ['success', text('fine'), false],
    ['an error without a status', failed('boom'), true],
    ['a status that is listed', { isError: true, structuredContent: { status_code: 503 } }, true],
    ['a status that is not', { isError: true, structuredContent: { status_code: 404 } }, false],
    ['a listed status without isError', { structuredContent: { status_code: 429 } }, true],
    ['wrong arguments', failed('MCP error -32602: Invalid arguments: city is required'), false],
    ['a status in a text', text('{"status_code":503}'), false],
  ])('looks at %s', async (_, result, retried) => {
    expect((await post(retry(), result)).retryDelayMs !== undefined).toBe(retried);
  });

  test('reads texts where it is told to, unless there is structured content', async () => {
    const config = retry('{ check_text_content: true }');
    expect((await post(config, text('{"status_code":503}'))).retryDelayMs).toBeDefined();
    expect((await post(config, text('{"status_code":200}'))).retryDelayMs).toBeUndefined();
    const both = { ...text('{"status_code":503}'), structuredContent: {} };
    expect((await post(config, both)).retryDelayMs).toBeUndefined();
    const none = { ...text('{"status_code":503}'), structuredContent: null };
    expect((await post(config, none)).retryDelayMs).toBeDefined();
  });

  test('retries what timed out, and takes settings of single tools', async () => {
    const host = await hostOfYaml(retry('{ tool_overrides: { pay: { max_retries: 0 } } }'));
    const search = host.begin('search');
    expect((await search.post(null, { timedOut: true })).retryDelayMs).toBeDefined();
    expect((await host.begin('pay').post(failed('boom'))).retryDelayMs).toBeUndefined();
  });

  test.each([
    ['{ max_retries: 11 }', 'expected a whole number from 0 to 10, got 11'],
    ['{ backoff_base_ms: 0 }', 'got 0'],
    ['{ backoff_base_ms: 300, max_backoff_ms: 200 }', 'at least backoff_base_ms, which is 300'],
    [
      '{ tool_overrides: { a: { max_backoff_ms: 100 } } }',
      'at least backoff_base_ms, which is 200',
    ],
    ['{ retry_on_status: 500 }', 'a list of HTTP statuses'],
  ])('refuses %s', async (config, message) => {
    await expect(hostOfYaml(retry(config))).rejects.toThrow(message);
  });
});
