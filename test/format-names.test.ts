import { parseToolCalls, renderToolCall, renderToolPrompt } from '@holdfast/core/parse';
import { describe, expect, it } from 'vitest';
import { memoryIo } from '../packages/gateway/src/cli/memory-io.case.ts';
import { run } from '../packages/gateway/src/cli/run.ts';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';

const tools = [{ name: 'now' }];
const call = { name: 'now', arguments: {} };

describe('hermes', () => {
  it('is the dialect that qwen reads and writes', () => {
    const text = renderToolCall(call, 'hermes', { tools });
    expect(text).toBe(renderToolCall(call, 'qwen', { tools }));
    expect(renderToolPrompt(tools, 'hermes')).toBe(renderToolPrompt(tools, 'qwen'));
    const { calls } = parseToolCalls(text, { tools, format: 'hermes' });
    expect(calls).toMatchObject([{ ...call, format: 'qwen' }]);
    for (const format of ['hermes', 'qwen'])
      expect(parseToolCalls(text, { tools, formats: ['hermes'], format }).calls).toEqual([
        { ...calls[0], id: expect.any(String) as string },
      ]);
  });

  it('is a format of the command line and of the configuration', async () => {
    const io = memoryIo({ stdin: renderToolCall(call, 'qwen', { tools }) });
    expect(await run(['parse', '--format', 'hermes', '--formats', 'hermes,glm'], io)).toBe(0);
    expect(io.out()).toContain('now');
    const upstreams = [{ url: 'http://127.0.0.1:1/v1', toolFormat: 'hermes' }];
    const proxy = { formats: ['hermes'] };
    const loaded = loadConfig(JSON.stringify({ upstreams, proxy }), {
      file: 'holdfast.yaml',
      env: {},
    });
    expect(loaded).toMatchObject({ ok: true, config: { upstreams: [{ toolFormat: 'hermes' }] } });
  });
});
