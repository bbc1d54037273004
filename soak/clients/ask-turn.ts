import { readToldBody, readToldStream } from '../../test/support/read-told.ts';
import type { Told } from '../../test/support/read-told.ts';
import type { Protocol } from '../../test/support/scripted-model.ts';
import { OFFERED } from '../model/turn-script.ts';
import { promptOf } from '../model/turn.ts';
import type { Answer, Asked, Door } from './door.ts';

/** How a turn is asked for. */
export interface TurnRequest {
  readonly id: string;
  readonly protocol: Protocol;
  readonly model: string;
  readonly isStream: boolean;
  /** What came of the calls of the turn before, in their order. */
  readonly results?: readonly CalledBefore[];
  readonly withinMs: number;
  readonly goesAfter?: number;
  readonly readPauseMs?: number;
}

/** A call of the turn before. */
export interface CalledBefore {
  readonly name: string;
  readonly arguments: object;
  readonly result: string;
}

/** What a client was told, and how. */
export interface ToldTurn extends Told {
  readonly status: number;
}

/** Asks for a turn. Undefined where there was no answer; throws where the answer is none of its protocol. */
export async function askTurn(door: Door, turn: TurnRequest): Promise<ToldTurn | undefined> {
  const { id, protocol, isStream, withinMs, goesAfter, readPauseMs } = turn;
  const { path, body } = REQUESTS[protocol](turn);
  const asked: Asked = {
    what: `turn ${id} (${protocol}${isStream ? ', streamed' : ''}, ${turn.model})`,
    method: 'POST',
    path,
    body: JSON.stringify(body),
    withinMs,
    ...(goesAfter !== undefined && { goesAfter }),
    ...(readPauseMs !== undefined && { readPauseMs }),
  };
  const answer = await door.ask(asked);
  return answer && { status: answer.status, ...readAnswer(protocol, answer) };
}

function readAnswer(protocol: Protocol, { headers, body }: Answer): Told {
  const isStream = (headers['content-type'] ?? '').includes('text/event-stream');
  return isStream ? readToldStream(protocol, body) : readToldBody(protocol, body);
}

interface HttpBody {
  readonly path: string;
  readonly body: object;
}

const idOf = (index: number): string => `call_before_${index}`;

const REQUESTS: Readonly<Record<Protocol, (turn: TurnRequest) => HttpBody>> = {
  chat: ({ id, model, isStream, results = [] }) => {
    const calls = results.map(({ name, arguments: args }, index) => ({
      id: idOf(index),
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const told = results.map(({ result }, index) => ({
      role: 'tool',
      tool_call_id: idOf(index),
      content: result,
    }));
    const messages = [
      { role: 'user', content: promptOf(id) },
      ...(calls.length > 0 ? [{ role: 'assistant', content: null, tool_calls: calls }] : []),
      ...told,
    ];
    const tools = OFFERED.map((tool) => ({ type: 'function', function: tool }));
    return { path: '/v1/chat/completions', body: { model, messages, stream: isStream, tools } };
  },
  messages: ({ id, model, isStream, results = [] }) => {
    const uses = results.map(({ name, arguments: input }, index) => ({
      type: 'tool_use',
      id: idOf(index),
      name,
      input,
    }));
    const told = results.map(({ result }, index) => ({
      type: 'tool_result',
      tool_use_id: idOf(index),
      content: result,
    }));
    const messages = [
      { role: 'user', content: promptOf(id) },
      ...(uses.length > 0
        ? [
            { role: 'assistant', content: uses },
            { role: 'user', content: told },
          ]
        : []),
    ];
    const tools = OFFERED.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    }));
    const body = { model, messages, stream: isStream, tools, max_tokens: 1000 };
    return { path: '/v1/messages', body };
  },
  responses: ({ id, model, isStream, results = [] }) => {
    const before = results.flatMap(({ name, arguments: args, result }, index) => [
      { type: 'function_call', call_id: idOf(index), name, arguments: JSON.stringify(args) },
      { type: 'function_call_output', call_id: idOf(index), output: result },
    ]);
    const input = [{ role: 'user', content: promptOf(id) }, ...before];
    const tools = OFFERED.map((tool) => ({ type: 'function', strict: false, ...tool }));
    return { path: '/v1/responses', body: { model, input, stream: isStream, tools } };
  },
};
