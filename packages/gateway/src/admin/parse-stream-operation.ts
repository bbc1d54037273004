import type { Clock, JsonObject } from '@holdfast/core';
import { createDefaultRegistry, InvalidOptionError, toolDefinitions } from '@holdfast/core/parse';
import type { ParseEvent, ParserRegistry } from '@holdfast/core/parse';
import { beginEventStream } from '../http/begin-event-stream.ts';
import { ClientGoneError } from '../http/client-gone-error.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import { wait } from '../proxy/upstream/wait.ts';
import { invalidBody } from '../sidecar/check-body.ts';
import { callJson, issueJson } from '../sidecar/parse-json.ts';
import type { AdminOperation, AdminRequest } from './admin-operation.ts';
import { frame } from './event-stream.ts';
import { count, fields, list, open, said, text } from './schema-words.ts';

const LONGEST_TEXT = 100_000;

/** Reads a text as if a model were writing it, and tells what is read as soon as it is certain. */
export function parseStreamOperation(clock: Clock): AdminOperation {
  const registry = createDefaultRegistry();
  return {
    method: 'POST',
    path: '/api/v1/parse/stream',
    id: 'stream_parse',
    summary: 'Reads the tool calls out of a text piece by piece, as if a model were writing it.',
    takes: fields(
      {
        text: said({ ...text, maxLength: LONGEST_TEXT }, 'What the model wrote.'),
        chunk_size: { ...count, minimum: 1, description: 'Characters of a piece. 1 without it.' },
        delay_ms: { ...count, maximum: 50, description: 'Between two pieces. 0 without it.' },
        tools: said(list(open), 'The tools that were offered.'),
        model: said(text, 'The name of the model; its own dialect goes first.'),
      },
      ['chunk_size', 'delay_ms', 'tools', 'model'],
    ),
    gives: said(
      text,
      'An event for each that the parser tells (text-delta, reasoning-delta, markup, call-start, call-delta, call-end, ' +
        'issue), progress {position} after each piece, and at the end done {calls, issues, explain}.',
    ),
    example: { text: '<tool_call>{"name": "read_file", "arguments": {}}</tool_call>', delay_ms: 5 },
    isStream: true,
    run: async (request) => {
      const job = readJob(request);
      const writer = beginEventStream(request.exchange.response);
      try {
        for await (const told of read(registry, job, clock, request.exchange.signal))
          await writer.write(told);
        await writer.end();
      } catch (error) {
        const isGone = error instanceof ClientGoneError || request.exchange.signal.aborted;
        if (!isGone) throw error;
        // The gateway stops: what was told so far is all that there will be.
        if (!(error instanceof ClientGoneError)) await writer.end();
      }
      return undefined;
    },
  };
}

interface ParseJob {
  readonly said: string;
  readonly chunkSize: number;
  readonly delayMs: number;
  readonly options: Parameters<ParserRegistry['parse']>[1];
}

function readJob({ body }: AdminRequest): ParseJob {
  const { chunk_size: chunkSize = 1, delay_ms: delayMs = 0, tools, model } = body;
  try {
    return {
      said: textOf(body['text']),
      chunkSize: Number(chunkSize),
      delayMs: Number(delayMs),
      options: {
        ...(tools !== undefined && { tools: toolDefinitions(tools) }),
        ...(typeof model === 'string' && { model }),
      },
    };
  } catch (error) {
    throw error instanceof InvalidOptionError ? invalidBody(error.message) : error;
  }
}

async function* read(
  registry: ParserRegistry,
  { said: whole, chunkSize, delayMs, options }: ParseJob,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let told = '';
  const stream = registry.createStream({
    ...options,
    onEvent: (event) => {
      told += frame(event.type, parseEventJson(event));
    },
  });
  const take = (): string => {
    const text = told;
    told = '';
    return text;
  };
  // Whole characters: half of a pair would be shown as none.
  const characters = Array.from(whole);
  let position = 0;
  for (let at = 0; at < characters.length; at += chunkSize) {
    if (at > 0 && delayMs > 0) await wait(delayMs, clock, signal);
    const chunk = characters.slice(at, at + chunkSize).join('');
    stream.feed(chunk);
    position += chunk.length;
    yield take() + frame('progress', { position });
  }
  stream.end();
  const { calls, issues, explanation = [] } = registry.parse(whole, { ...options, explain: true });
  const steps = explanation.map(({ repairs, ...step }) => ({ ...step, repairs: [...repairs] }));
  yield take() +
    frame('done', { calls: calls.map(callJson), issues: issues.map(issueJson), explain: steps });
}

/** An event of the parser in the words of the API. */
function parseEventJson(event: ParseEvent): JsonObject {
  switch (event.type) {
    case 'call-end': {
      const { type, index, call, raw } = event;
      return { type, index, call: callJson(call), raw };
    }
    case 'issue':
      return { type: event.type, issue: issueJson(event.issue) };
    default:
      return { ...event };
  }
}
