import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolRenderError } from '../../errors.ts';
import type { ToolDefinition } from '../../types.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { RENDER_FORMATS } from './dialect-of.ts';
import {
  hostileCalls,
  oddlyNamedCall,
  plainCalls,
  toolsFor,
  vagueToolsFor,
} from './hostile.case.ts';
import type { RenderableCall } from './render-dialect.ts';
import { renderToolCall } from './render-tool-call.ts';
import type { RenderOptions } from './render-tool-call.ts';

/** The text, or undefined where the format says that it cannot write the calls. */
function tryRender(
  calls: readonly RenderableCall[],
  format: string,
  options?: RenderOptions,
): string | undefined {
  try {
    return renderToolCall(calls, format, options);
  } catch (error) {
    if (error instanceof ToolRenderError) return undefined;
    throw error;
  }
}

function expectSame(
  written: string,
  format: string,
  calls: readonly RenderableCall[],
  tools: readonly ToolDefinition[],
): void {
  for (const options of [{ tools }, { tools, format }]) {
    const read = parseToolCalls(written, options);
    expect(
      read.calls.map(({ name, arguments: args }) => [name, JSON.stringify(args)]),
      written,
    ).toEqual(calls.map(({ name, arguments: args }) => [name, JSON.stringify(args)]));
    expect(
      read.calls.every(({ complete, lossy }) => complete && !lossy),
      written,
    ).toBe(true);
    expect(read.text.trim(), written).toBe('');
    expect(read.reasoning, written).toBe('');
  }
}

describe.each(RENDER_FORMATS)('what is written in %s', (format) => {
  test('reads back as the same calls', () => {
    fc.assert(
      fc.property(plainCalls, (calls) => {
        expectSame(renderToolCall(calls, format), format, calls, toolsFor(calls));
      }),
    );
  });

  test('reads back as the same calls, whatever markup is in them, or is refused', () => {
    fc.assert(
      fc.property(hostileCalls, (calls) => {
        const written = tryRender(calls, format);
        if (written !== undefined) expectSame(written, format, calls, toolsFor(calls));
      }),
    );
  });

  test('reads back as a call of the same tool, whatever its name, or is refused', () => {
    fc.assert(
      fc.property(oddlyNamedCall, (call) => {
        const written = tryRender([call], format);
        if (written !== undefined) expectSame(written, format, [call], toolsFor([call]));
      }),
    );
  });

  test('reads back as the same calls by any schema it was written for, or is refused', () => {
    fc.assert(
      fc.property(hostileCalls, (calls) => {
        const tools = vagueToolsFor(calls);
        const written = tryRender(calls, format, { tools });
        if (written !== undefined) expectSame(written, format, calls, tools);
      }),
    );
  });
});

describe('a number with more digits than a double holds', () => {
  const digits = '9007199254740993';
  const text = `{"to": ${digits}, "all": [1, {"to": ${digits}}]}`;
  const [call] = parseToolCalls(
    `<tool_call>{"name": "pay", "arguments": ${text}}</tool_call>`,
  ).calls;

  test.each(RENDER_FORMATS)('keeps them in %s', (format) => {
    expect(call).toBeDefined();
    const written = renderToolCall(call!, format);
    expect(written.split(digits)).toHaveLength(3);
    const read = parseToolCalls(written, { tools: [{ name: 'pay' }], format }).calls[0];
    expect(JSON.stringify(read).split(digits)).toHaveLength(3);
  });
});

describe('every call', () => {
  test.each(['commentary', 'llama3-json', 'lm-studio', 'mistral', 'openai', 'qwen'])(
    'can be written in %s',
    (format) => {
      fc.assert(
        fc.property(hostileCalls, oddlyNamedCall, (calls, odd) => {
          expect(renderToolCall([...calls, odd], format)).not.toBe('');
        }),
      );
    },
  );

  test.each([
    ...['anthropic-xml', 'deepseek-dsml', 'deepseek-v3.1', 'glm', 'harmony', 'kimi-k2'],
    ...['minimax-m2', 'qwen3-coder', 'react', 'tool-name-xml', 'cwm', 'gigachat', 'k2-horizon'],
    ...['plamo3', 'solar-open2', 'use-mcp-tool'],
  ])('of a tool with a plain name can be written in %s', (format) => {
    fc.assert(
      fc.property(hostileCalls, (calls) => {
        expect(renderToolCall(calls, format)).not.toBe('');
      }),
    );
  });
});
