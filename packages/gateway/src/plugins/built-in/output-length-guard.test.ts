import { describe, expect, test } from 'vitest';
import { hostOfYaml } from '../plugin-host.case.ts';
import { post, text } from './built-in-plugin.case.ts';

describe('the output length guard', () => {
  const guard = (config: string): string =>
    `- { name: g, kind: output-length-guard, config: ${config} }`;

  test('cuts texts that are too long', async () => {
    const { result, metadata } = await post(guard('{ max_chars: 5 }'), {
      ...text('1234567'),
      structuredContent: { all: '1234567' },
    });
    expect(result).toEqual({ ...text('1234…'), structuredContent: { all: '1234567' } });
    expect(metadata).toEqual({ output_length_guard: { original_lengths: [7], truncated: true } });
  });

  test.each([
    ['{ max_chars: 5, ellipsis: "" }', '123456', '12345'],
    ['{ max_chars: 5 }', '12345', '12345'],
    ['{ max_chars: 1 }', '12', '1'],
    ['{ max_chars: 9, word_boundary: true }', 'one two three four', 'one two…'],
    ['{ max_chars: 4, ellipsis: "." }', 'ab😀cd', 'ab.'],
    ['{}', 'x'.repeat(100), 'x'.repeat(100)],
  ])('%s: %s', async (config, given, cut) => {
    expect((await post(guard(config), given)).result).toBe(cut);
  });

  test('holds them back where it is told to', async () => {
    const config = guard('{ min_chars: 2, max_chars: 4, strategy: block }');
    expect((await post(config, '12345')).violation).toMatchObject({
      code: 'OUTPUT_LENGTH_VIOLATION',
      details: { length: 5, min: 2, max: 4 },
    });
    expect((await post(config, '1')).violation).toBeDefined();
    expect((await post(config, '123')).violation).toBeUndefined();
  });

  test('refuses bounds that nothing fits', async () => {
    await expect(hostOfYaml(guard('{ min_chars: 5, max_chars: 4 }'))).rejects.toThrow(
      'at least min_chars',
    );
  });
});
