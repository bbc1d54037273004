import { describe, expect, test } from 'vitest';
import { post, pre, text } from './built-in-plugin.case.ts';

describe('secrets masking', () => {
  const masking = (config = '{}'): string =>
    `- { name: m, kind: secrets-masking, config: ${config} }`;
  const KEY = 'sk-abcdefghijklmnop1234';

  test('takes secrets out of texts and data, and leaves the rest', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const { result } = await post(masking(), {
      content: [{ type: 'text', text: `key ${KEY}` }, image],
      structuredContent: { user: 'ann', password: 'hunter2', note: KEY },
    });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'key ***' }, image],
      structuredContent: { user: 'ann', password: '***', note: '***' },
    });
  });

  test('leaves a result without secrets the very same', async () => {
    const fine = { ...text('fine'), structuredContent: { a: [1] } };
    expect((await post(masking(), fine)).result).toBe(fine);
  });

  test('leaves arguments alone unless it is told to', async () => {
    expect((await pre(masking(), { key: KEY })).args).toEqual({ key: KEY });
    expect((await pre(masking('{ mask_arguments: true }'), { key: KEY })).args).toEqual({
      key: '***',
    });
  });

  test('holds results back where it is told to, as its model does', async () => {
    const config = masking('{ redact: false, block_on_detection: true, min_findings_to_block: 1 }');
    const { violation } = await post(config, text(KEY));
    expect(violation?.code).toBe('SECRETS_DETECTED');
    expect(JSON.stringify(violation)).not.toContain(KEY);
  });
});
