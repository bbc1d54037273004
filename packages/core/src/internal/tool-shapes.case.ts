import type { ToolDefinition } from '../types.ts';

/** How others write a tool, each with what is particular to them. */
export const TOOL_SHAPES: readonly (readonly [
  name: string,
  write: (tool: ToolDefinition) => { readonly name: string } | { readonly type: string },
])[] = [
  ['our own', (tool) => tool],
  ['OpenAI Chat', (tool) => ({ type: 'function', function: { ...tool, strict: true } })],
  ['OpenAI Responses', (tool) => ({ type: 'function', ...tool, strict: null })],
  [
    'Anthropic',
    ({ parameters, ...tool }) => ({
      ...tool,
      input_schema: parameters,
      cache_control: { type: 'ephemeral' },
    }),
  ],
  [
    'MCP',
    ({ parameters, ...tool }) => ({
      ...tool,
      title: 'A tool',
      inputSchema: parameters,
      annotations: { readOnlyHint: true },
    }),
  ],
];
