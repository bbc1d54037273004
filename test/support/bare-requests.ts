import type { JsonObject } from '@holdfast/core';
import { SAMPLE_TOOLS } from './sample-calls.ts';
import type { Protocol } from './scripted-model.ts';

/** What the requests offer. */
export const TOOLS = SAMPLE_TOOLS.map(({ function: tool }) => tool);

/** A call that only its tool proves, the same call in markup, and what both mean. */
export const BARE = 'read_file(path="notes.md", lines=3)';
export const CALLS = [{ name: 'read_file', arguments: { path: 'notes.md', lines: 3 } }];
export const MARKED = `<tool_call>${JSON.stringify(CALLS[0])}</tool_call>`;

const SCHEMA = { type: 'object', properties: { size: { type: 'integer' } } };
const FORMAT = { type: 'json_schema', name: 'size', schema: SCHEMA };

type Fields = Readonly<Record<Protocol, readonly JsonObject[]>>;

/** Fields of requests that allow no call. */
export const WITHOUT_CALLS: Fields = {
  chat: [{ tool_choice: 'none' }],
  messages: [{ tool_choice: { type: 'none' } }],
  responses: [{ tool_choice: 'none' }],
};

/** Fields of requests for JSON. */
export const IN_JSON: Fields = {
  chat: [
    { response_format: { type: 'json_object' } },
    { response_format: { type: 'json_schema', json_schema: { name: 'size', schema: SCHEMA } } },
  ],
  messages: [{ output_format: FORMAT }, { output_config: { format: FORMAT } }],
  responses: [{ text: { format: { type: 'json_object' } } }, { text: { format: FORMAT } }],
};

/** The same fields in requests for plain text, and no such field. */
export const IN_TEXT: Fields = {
  chat: [{}, { response_format: { type: 'text' } }],
  messages: [{}, { output_config: { effort: 'high' } }],
  responses: [{}, { text: { format: { type: 'text' }, verbosity: 'low' } }],
};
