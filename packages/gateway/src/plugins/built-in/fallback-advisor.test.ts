import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/core';
import { hostOfYaml } from '../plugin-host.case.ts';
import { failed } from './built-in-plugin.case.ts';

describe('the fallback advisor', () => {
  const advisor = (config = '{}'): string =>
    `- { name: advisor, kind: fallback-advisor, config: ${config} }`;
  const failure = { ...failed('ENOENT: no such file'), structuredContent: { ok: false } };

  test('adds advice to the second failure in a row, and touches nothing else', async () => {
    const { begin } = await hostOfYaml(advisor());
    const results: JsonObject[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = begin('read_file');
      await run.pre({ path: '/gone' });
      results.push((await run.post(failure)).result as JsonObject);
    }
    expect(results[0]).toEqual(failure);
    const { content, ...rest } = results[1] ?? {};
    expect(rest).toEqual({ isError: true, structuredContent: { ok: false } });
    expect(content).toHaveLength(2);
    expect(JSON.stringify(content)).toContain(
      '⚠️ Tool guidance: The same read_file call failed 2 times',
    );
  });

  test('says nothing where there is advice already', async () => {
    const { begin } = await hostOfYaml(advisor('{ tool_threshold: 1 }'));
    const advised = { isError: true, content: [{ type: 'text', text: '⚠️ Tool guidance: stop.' }] };
    expect((await begin().post(advised)).result).toBe(advised);
  });

  test('stops calls that only repeat what failed, where it may', async () => {
    const { begin } = await hostOfYaml(advisor('{ veto: on }'));
    const codes: unknown[] = [];
    for (let attempt = 0; attempt < 4; attempt++) {
      const run = begin('read_file');
      const { violation } = await run.pre({ path: '/gone' });
      codes.push(violation?.code);
      if (violation === undefined) await run.post(failure);
    }
    expect(codes).toContain('CALL_REPEATED');
  });
});
