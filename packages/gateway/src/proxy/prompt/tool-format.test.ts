import { RENDER_FORMATS } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import { toolFormatOf } from './tool-format.ts';

describe('the dialect of a model', () => {
  test.each([
    ['qwen2.5-coder:7b', 'qwen'],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3-coder'],
    ['nous-hermes2:10.7b', 'qwen'],
    ['mistralai/Devstral-Small-2507', 'mistral'],
    ['openai/gpt-oss-20b', 'harmony'],
    ['gpt-4o', 'openai'],
    ['meta-llama/Llama-3.2-3B-Instruct', 'pythonic'],
    ['llama4-scout', 'llama3-json'],
    ['zai-org/GLM-4.6', 'glm'],
    ['moonshotai/Kimi-K2-Instruct', 'kimi-k2'],
    ['gemma-4-27b-it', 'gemma4'],
    ['deepseek-ai/DeepSeek-V3.2', 'deepseek-dsml'],
    ['MiniMax-M2', 'minimax-m2'],
  ])('%s is told in the one it was trained on, %s', (model, format) => {
    expect(toolFormatOf(model)).toBe(format);
  });

  test('is one that can be written, where that of the model cannot', () => {
    // Its own, llama-builtin, is only read; `llama-3` says enough.
    expect(toolFormatOf('meta-llama/Llama-3.1-8B-Instruct')).toBe('llama3-json');
  });

  test.each(['gemma3:4b', 'phi-4', 'deepseek-r1:1.5b', 'my-finetune', ''])(
    'is that of Hermes for %j, whose name says nothing of one',
    (model) => {
      expect(toolFormatOf(model)).toBe('qwen');
      expect(RENDER_FORMATS).toContain(toolFormatOf(model));
    },
  );
});
