import type { JsonObject } from '@holdfast/core';
import {
  anything,
  count,
  fields,
  flag,
  list,
  number,
  oneOf,
  orNull,
  said,
  text,
  time,
} from './schema-words.ts';

/** What every event has. */
const EVENT = {
  seq: said({ type: 'integer', minimum: 1 }, 'Its place among all events of this run, from 1.'),
  at: time,
  source: oneOf('proxy', 'mcp', 'sidecar', 'gateway'),
  type: text,
};

const TURN = {
  ...EVENT,
  id: said(text, 'That of the request, as in x-request-id.'),
  protocol: oneOf('chat', 'messages', 'responses'),
  model: text,
  upstream: orNull(text),
  status: count,
  is_stream: flag,
  tools: said(count, 'How many the model was offered.'),
  calls: list(fields({ name: text })),
  formats: said(list(text), 'The dialects calls were read in; native for those the upstream read.'),
  repairs: list(text),
  issues: list(fields({ code: text, message: text })),
  normalised: list(text),
  prompted_in: orNull(text),
  advice: said(list(text), 'The rules by which the model was advised.'),
  was_asked_again: flag,
  attempts: count,
  finish: orNull(text),
  duration_ms: number,
  first_byte_ms: orNull(number),
  input_tokens: orNull(count),
  output_tokens: orNull(count),
  error: orNull(fields({ kind: text, message: text })),
  is_aborted: said(flag, 'The client went away before it was over.'),
  has_capture: said(flag, 'Whether what was said in it is kept.'),
};

/** A request to a model that is over. */
export const TURN_SCHEMA: JsonObject = fields(TURN);

const TOLD = fields(
  {
    kind: oneOf('text', 'reasoning', 'call'),
    text,
    name: text,
    arguments: anything,
    format: orNull(text),
    repairs: list(text),
  },
  ['text', 'name', 'arguments', 'format', 'repairs'],
);

/** The same with what was said in it. */
export const CAPTURED_TURN_SCHEMA: JsonObject = fields({
  ...TURN,
  capture: orNull(
    fields({
      raw: said(text, 'What the upstream wrote, behind it the calls that it has read itself.'),
      raw_reasoning: said(text, 'What it told apart as reasoning.'),
      told: said(list(TOLD), 'What the client was told.'),
      prompt: said(anything, 'The request, without its tools; null where it is too long to mask.'),
      is_masked: said(flag, 'Whether arguments and results are hidden.'),
      is_cut: said(flag, 'More was said than is kept.'),
    }),
  ),
  captured_requests: said(count, 'Of how many requests this is kept; 0 while that is off.'),
});

/** A call of a tool that is over. */
export const CALL_SCHEMA: JsonObject = fields(
  {
    ...EVENT,
    id: text,
    server: orNull(text),
    tool: text,
    outcome: oneOf('ok', 'failed', 'refused'),
    class: said(orNull(text), 'The class of the failure, as circuits know it.'),
    failure_type: said(orNull(text), 'Its type, as the advisor knows it.'),
    message: orNull(text),
    attempts: count,
    duration_ms: orNull(number),
    repairs: list(text),
    advice: said(orNull(text), 'What the model was told to do about it.'),
    advice_rules: list(text),
  },
  ['advice_rules'],
);
