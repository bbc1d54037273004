import { textResult } from './fixture-tool.ts';
import type { FixtureTool } from './fixture-tool.ts';

/** Tools whose schemas have to arrive as they are. */
export const schemaTools: readonly FixtureTool[] = [
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with much of JSON Schema 2020-12',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: ({ args }) => textResult(JSON.stringify(args)),
  },
  {
    name: 'test_header_parameter',
    description: 'Has a parameter that clients repeat in a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: ({ args }) => textResult(`The region is ${String(args['region'])}`),
  },
];
