import type { JsonObject } from '@holdfast/core';
import { classify } from '@holdfast/core/advise';
import type { ToolKind, ToolResult } from '@holdfast/core/advise';
import { isObject, textOf } from '../proxy/json/json-fields.ts';
import type { Operation } from './operation.ts';

const KINDS: readonly ToolKind[] = ['reader', 'shell', 'api', 'edit'];

const TEXT = { type: 'string' } as const;

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    tool: { ...TEXT, description: 'The name of the tool.' },
    arguments: { type: 'object', description: 'What it was called with.' },
    output: { ...TEXT, description: 'What it returned.' },
    exit_code: { type: 'integer' },
    status: { type: 'integer', description: 'The status of HTTP, where there was one.' },
    is_error: { type: 'boolean', description: "The host's own flag." },
    kind: {
      enum: [...KINDS],
      description: 'What its output is. Guessed from the name of the tool without it.',
    },
  },
  required: ['tool'],
  additionalProperties: false,
};

const GIVES: JsonObject = {
  type: 'object',
  properties: {
    status: { enum: ['success', 'failure', 'unknown', 'neutral'] },
    type: { type: ['string', 'null'], description: 'The kind of failure.' },
    parent: { type: ['string', 'null'], description: 'The wider kind it belongs to.' },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    evidence: { ...TEXT, description: 'The line that says so.' },
    retryable: { type: 'boolean', description: 'Whether the same call may succeed later.' },
  },
  required: ['status', 'type', 'parent', 'confidence', 'evidence', 'retryable'],
};

/** Says whether a tool call failed, as `holdfast classify` does. */
export const classifyOperation: Operation = {
  name: 'classify',
  summary: 'Says whether a tool call failed, and how, from what the tool returned.',
  takes: TAKES,
  gives: GIVES,
  example: {
    takes: {
      tool: 'bash',
      arguments: { command: 'cat notes.md' },
      output: 'cat: notes.md: No such file or directory',
      exit_code: 1,
    },
    gives: {
      status: 'failure',
      type: 'not_found',
      parent: 'not_found',
      confidence: 0.95,
      evidence: 'cat: notes.md: No such file or directory',
      retryable: false,
    },
  },
  run(body) {
    const kind = KINDS.find((known) => known === body['kind']);
    const found = classify(resultIn(body), kind === undefined ? {} : { kind });
    const { status, type = null, parent = null, confidence, evidence, retryable } = found;
    return { body: { status, type, parent, confidence, evidence, retryable } };
  },
};

/** Of a body that fits its schema. */
function resultIn(body: JsonObject): ToolResult {
  const { tool, arguments: args, output, exit_code: exitCode, status, is_error: isError } = body;
  return {
    tool: textOf(tool),
    ...(isObject(args) && { arguments: args }),
    ...(typeof output === 'string' && { output }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof status === 'number' && { status }),
    ...(typeof isError === 'boolean' && { isError }),
  };
}
