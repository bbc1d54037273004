import type { JsonObject } from '@holdfast/core';
import { createDefaultRegistry, toolDefinitions } from '@holdfast/core/parse';
import type { ParseOptions, ParserRegistry } from '@holdfast/core/parse';
import { inTurns } from '../proxy/fair-share.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import type { Operation, OperationExample } from './operation.ts';
import { callJson, issueJson } from './parse-json.ts';

const UNKNOWN_TOOL = ['text', 'issue', 'call'] as const;
const CALLS_IN_REASONING = ['if-unclosed', 'ignore', 'read'] as const;
const STARTS_IN_REASONING = ['auto', true, false] as const;

/** Reads the tool calls out of a model's answer, as `holdfast parse` does. */
export function createParseOperation(): Operation {
  const registry = createDefaultRegistry();
  return {
    name: 'parse',
    summary: 'Reads the tool calls out of the text of a model, in whatever dialect it wrote them.',
    takes: TAKES,
    takesModelText: true,
    gives: GIVES,
    example: EXAMPLE,
    run: async (body) => ({
      body: await inTurns(read(registry, textOf(body['text']), optionsIn(body))),
    }),
  };
}

/** How much text is read in one step, in characters. */
const STEP = 16_384;

/** Reads in steps, so that a long text does not hold up other requests. */
function* read(
  registry: ParserRegistry,
  said: string,
  options: ParseOptions,
): Generator<undefined, JsonObject, undefined> {
  const calls: JsonObject[] = [];
  const issues: JsonObject[] = [];
  let text = '';
  let reasoning = '';
  const stream = registry.createStream({
    ...options,
    onEvent: (event) => {
      if (event.type === 'text-delta') text += event.text;
      else if (event.type === 'reasoning-delta') reasoning += event.text;
      else if (event.type === 'call-end') calls.push(callJson(event.call));
      else if (event.type === 'issue') issues.push(issueJson(event.issue));
    },
  });
  for (let from = 0; from < said.length; from += STEP) {
    stream.feed(said.slice(from, from + STEP));
    yield;
  }
  stream.end();
  return { calls, text, reasoning, issues };
}

/** Of a body that fits its schema. */
function optionsIn(body: JsonObject): ParseOptions {
  const { tools, format, model, bare_calls: bareCalls } = body;
  const { unknown_tool: unknown, calls_in_reasoning: inReasoning } = body;
  const unknownTool = UNKNOWN_TOOL.find((word) => word === unknown);
  const callsInReasoning = CALLS_IN_REASONING.find((word) => word === inReasoning);
  const startsInReasoning = STARTS_IN_REASONING.find(
    (word) => word === body['starts_in_reasoning'],
  );
  return {
    ...(tools !== undefined && { tools: toolDefinitions(tools) }),
    ...(typeof format === 'string' && { format }),
    ...(typeof model === 'string' && { model }),
    ...(unknownTool !== undefined && { unknownTool }),
    ...(callsInReasoning !== undefined && { callsInReasoning }),
    ...(startsInReasoning !== undefined && { startsInReasoning }),
    ...(typeof bareCalls === 'boolean' && { bareCalls }),
  };
}

const TEXT = { type: 'string' } as const;

const TAKES: JsonObject = {
  type: 'object',
  properties: {
    text: { ...TEXT, description: 'What the model wrote.' },
    tools: {
      type: ['array', 'object'],
      items: { type: 'object' },
      description:
        'The tools that were offered, in the shape of OpenAI, Anthropic or MCP: a list, or an object from names to tools.',
    },
    format: { ...TEXT, description: 'The dialect that goes first where several fit.' },
    model: { ...TEXT, description: 'The name of the model; its own dialect goes first.' },
    unknown_tool: {
      enum: [...UNKNOWN_TOOL],
      description: 'What a call of a tool becomes that was not offered. text without it.',
    },
    calls_in_reasoning: {
      enum: [...CALLS_IN_REASONING],
      description: 'What becomes of calls inside reasoning. if-unclosed without it.',
    },
    starts_in_reasoning: {
      enum: [...STARTS_IN_REASONING],
      description:
        'Whether the prompt opened the reasoning. With auto, which holds without it, calls before a closing tag alone are reasoning.',
    },
    bare_calls: {
      type: 'boolean',
      description:
        'Whether text without markup is a call where it names a tool of tools with arguments that fit. true without it.',
    },
  },
  required: ['text'],
  additionalProperties: false,
};

const GIVES: JsonObject = {
  type: 'object',
  properties: {
    calls: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: TEXT,
          name: TEXT,
          arguments: { type: 'object' },
          format: { ...TEXT, description: 'The dialect it was written in.' },
          repairs: { type: 'array', items: TEXT, description: 'What had to be mended.' },
          complete: { type: 'boolean', description: 'Whether the model ended it.' },
          lossy: { type: 'boolean', description: 'Whether mending it was guesswork.' },
        },
        required: ['id', 'name', 'arguments', 'format', 'repairs', 'complete', 'lossy'],
      },
    },
    text: { ...TEXT, description: 'All that is neither call nor reasoning, as it was written.' },
    reasoning: TEXT,
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          code: TEXT,
          message: TEXT,
          offset: { type: 'integer', description: 'Where, in UTF-16 code units.' },
          parser: TEXT,
          call_id: TEXT,
        },
        required: ['code', 'message', 'offset'],
      },
    },
  },
  required: ['calls', 'text', 'reasoning', 'issues'],
};

const EXAMPLE: OperationExample = {
  takes: {
    text: 'I look. <tool_call>{"name": "read_file", "arguments": {"path": "a.ts",}}</tool_call>',
    tools: [
      {
        name: 'read_file',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ],
  },
  gives: {
    calls: [
      {
        id: 'call_MWG7UlH03scgHoIpcsxaoPIF',
        name: 'read_file',
        arguments: { path: 'a.ts' },
        format: 'qwen',
        repairs: ['trailing-comma'],
        complete: true,
        lossy: false,
      },
    ],
    text: 'I look. ',
    reasoning: '',
    issues: [],
  },
};
