import { describe, expect, test } from 'vitest';
import { failed, post, pre, text } from './built-in-plugin.case.ts';

describe('the schema guard', () => {
  const guard = (blocks: boolean): string => `
- name: guard
  kind: schema-guard
  config:
    block_on_violation: ${String(blocks)}
    arg_schemas:
      search: { type: object, required: [query], properties: { query: { type: string } } }
    result_schemas:
      search: { type: object, required: [hits], properties: { hits: { type: array } } }`;

  test('stops calls whose arguments do not fit, and says why', async () => {
    expect((await pre(guard(true), { query: 'x' })).violation).toBeUndefined();
    const { violation } = await pre(guard(true), { q: 'x' });
    expect(violation?.code).toBe('SCHEMA_GUARD_ARGS');
    expect(violation?.description).toContain('- query is missing');
  });

  test('holds results against their schemas, by their structured content', async () => {
    const fits = { ...text('1'), structuredContent: { hits: [] } };
    expect((await post(guard(true), fits)).violation).toBeUndefined();
    const wrong = { ...text('1'), structuredContent: { hits: 1 } };
    expect((await post(guard(true), wrong)).violation?.code).toBe('SCHEMA_GUARD_RESULT');
    expect((await post(guard(true), 'text')).violation?.code).toBe('SCHEMA_GUARD_RESULT');
    expect((await post(guard(true), failed('boom'))).violation).toBeUndefined();
  });

  test('only tells where it may not stop', async () => {
    const { violation, metadata } = await pre(guard(false), {});
    expect(violation).toBeUndefined();
    expect(metadata['schema_errors']).toHaveLength(1);
  });
});
