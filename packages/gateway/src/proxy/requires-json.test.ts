import { expect, test } from 'vitest';
import { requiresJson } from './requires-json.ts';

const schema = { type: 'json_schema', schema: { type: 'object' } };

test.each([
  ['nothing', {}, false],
  ['no format', { response_format: null, text: null, output_config: null }, false],
  ['plain text, in Chat', { response_format: { type: 'text' } }, false],
  ['JSON, in Chat', { response_format: { type: 'json_object' } }, true],
  ['a schema, in Chat', { response_format: { type: 'json_schema', json_schema: {} } }, true],
  ['a plain format as a string', { response_format: 'json_object' }, false],
  ['plain text, in Responses', { text: { format: { type: 'text' }, verbosity: 'low' } }, false],
  ['JSON, in Responses', { text: { format: { type: 'json_object' } } }, true],
  ['a schema, in Responses', { text: { format: schema } }, true],
  ['a schema, in Messages', { output_config: { effort: 'high', format: schema } }, true],
  ['a schema in the older field, in Messages', { output_format: schema }, true],
  ['effort, in Messages', { output_config: { effort: 'high' } }, false],
])('a request for %s: %j requires JSON: %s', (_, body, requires) => {
  expect(requiresJson(body)).toBe(requires);
});
