import type { ToolDefinition } from '../types.ts';

/** A tool with a bit of everything. */
export const readFile: ToolDefinition = {
  name: 'read_file',
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', minLength: 1 },
      line_count: { type: 'integer', minimum: 1, maximum: 500 },
      encoding: { enum: ['utf-8', 'latin-1'] },
      tags: { type: 'array', items: { type: 'string' } },
      filter: {
        type: 'object',
        properties: { glob: { type: 'string' }, depth: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
};

/** Beside it, one that says nothing about its arguments. */
export const tools: readonly ToolDefinition[] = [readFile, { name: 'write_file' }];
