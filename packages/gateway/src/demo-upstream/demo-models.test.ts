import { parseToolCalls } from '@holdfast/core/parse';
import { describe, expect, test } from 'vitest';
import { BROKEN } from './broken-dialects.ts';
import { DEMO_MODELS } from './demo-models.ts';

const tools = [
  {
    name: 'book_table',
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        guests: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        outdoors: { type: 'boolean' },
      },
    },
  },
];
const call = {
  name: 'book_table',
  arguments: { name: 'Ada "A." O\'Neil', guests: 4, tags: ['window', 'quiet'], outdoors: false },
};

describe('the models of the demo', () => {
  test('write in more than twenty dialects', () => {
    expect(DEMO_MODELS.length - Object.keys(BROKEN).length).toBeGreaterThan(20);
  });

  test.each(DEMO_MODELS)('$id writes what is read back as the same call', (model) => {
    const text = `${model.isAlone ? '' : 'One moment.\n\n'}${model.write(call, tools)}`;
    const { calls } = parseToolCalls(text, { tools });

    expect(calls).toMatchObject([{ ...call, complete: true, lossy: false }]);
    if (!Object.hasOwn(BROKEN, model.id)) expect(calls[0]?.format).toBe(model.id);
  });

  test.each([
    { name: 'mcp__my-server__find', arguments: { 'max-results': 5 } },
    {
      name: 'write_file',
      arguments: { content: '<p>]</tool_call> </parameter> [/ARGS] {"a": 1}</p>' },
    },
    { name: 'now', arguments: {} },
  ])('$name is said whatever the dialect, in another if need be', (odd) => {
    for (const model of DEMO_MODELS) {
      const { calls } = parseToolCalls(model.write(odd, [{ name: odd.name }]), {
        tools: [{ name: odd.name }],
      });
      expect(calls, model.id).toMatchObject([odd]);
    }
  });
});
