import { chatBody, chatEvents } from '../../test/support/chat-stream-of.ts';
import {
  messagesBodyOf,
  messagesEvents,
  messagesStreamOf,
} from '../../test/support/messages-stream-of.ts';
import type { MessagesBlock } from '../../test/support/messages-stream-of.ts';
import {
  callItem,
  messageItem,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from '../../test/support/responses-stream-of.ts';
import type { Protocol } from '../../test/support/scripted-model.ts';
import type { ScriptedCall, TurnScript } from './turn-script.ts';
import { textWithout } from './turn-script.ts';

/** An answer of a model server, and what of it is needed for what. */
export interface TurnAnswer {
  readonly body: Buffer;
  /** From which byte on each call is complete: before it the model had not said all of it. */
  readonly sealedAt: readonly number[];
  /** From which byte on the turn is complete. */
  readonly finishedAt: number;
}

/** The answer in the words of a protocol. */
export function answerOf(script: TurnScript, protocol: Protocol, isStream: boolean): TurnAnswer {
  if (!isStream) {
    const body = Buffer.from(WHOLE[protocol](script));
    return { body, sealedAt: script.calls.map(() => body.length), finishedAt: body.length };
  }
  const stream = STREAMS[protocol](script);
  return { body: Buffer.from(stream), ...findMarks(stream, protocol, script.calls) };
}

const finishOf = ({ isNative, calls }: TurnScript, native: string, other: string): string =>
  isNative && calls.length > 0 ? native : other;

const nativeCalls = ({ isNative, calls }: TurnScript): readonly ScriptedCall[] =>
  isNative ? calls : [];

function chatCalls(script: TurnScript): readonly object[] {
  return nativeCalls(script).map(({ id, name, arguments: args }, index) => ({
    index,
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
}

function messagesBlocks(script: TurnScript): readonly MessagesBlock[] {
  return [
    { type: 'text', text: textWithout(script, 0) },
    ...nativeCalls(script).map(({ id, name, arguments: input }) => ({
      type: 'tool_use' as const,
      id: `toolu_${id}`,
      name,
      input,
    })),
  ];
}

const responsesItems = (script: TurnScript): Parameters<typeof responsesEvents>[0] => [
  messageItem(textWithout(script, 0)),
  ...nativeCalls(script).map((call) => callItem(`call_${call.id}`, call)),
];

const WHOLE: Readonly<Record<Protocol, (script: TurnScript) => string>> = {
  chat: (script) => {
    const calls = chatCalls(script);
    const message = {
      role: 'assistant',
      content: textWithout(script, 0),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return chatBody(message, finishOf(script, 'tool_calls', 'stop'));
  },
  messages: (script) =>
    messagesBodyOf(messagesBlocks(script), finishOf(script, 'tool_use', 'end_turn')),
  responses: (script) => responsesBodyOf(responsesItems(script)),
};

const STREAMS: Readonly<Record<Protocol, (script: TurnScript) => string>> = {
  chat: (script) => {
    const pieces = cutText(textWithout(script, 0), script.cut).map((content) => ({ content }));
    return chatEvents([{ role: 'assistant', content: '' }, ...pieces, ...chatCallDeltas(script)], {
      finishReason: finishOf(script, 'tool_calls', 'stop'),
    });
  },
  messages: (script) => {
    const stopReason = finishOf(script, 'tool_use', 'end_turn');
    const { cut } = script;
    return messagesStreamOf(messagesEvents(messagesBlocks(script), { stopReason, cut }));
  },
  responses: (script) =>
    responsesStreamOf(responsesEvents(responsesItems(script), { cut: script.cut })),
};

function chatCallDeltas(script: TurnScript): readonly object[] {
  return nativeCalls(script).flatMap(({ id, name, arguments: args }, index) => [
    {
      tool_calls: [
        { index, id: `call_${id}`, type: 'function', function: { name, arguments: '' } },
      ],
    },
    ...cutText(JSON.stringify(args), script.cut).map((json) => ({
      tool_calls: [{ index, function: { arguments: json } }],
    })),
  ]);
}

function cutText(text: string, cut: number): readonly string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += cut)
    pieces.push(characters.slice(at, at + cut).join(''));
  return pieces;
}

/** In the event after which nothing is missing. */
const LAST_WORDS: Readonly<Record<Protocol, string>> = {
  chat: '"finish_reason":"',
  messages: '"message_delta"',
  responses: '"response.completed"',
};

function findMarks(
  stream: string,
  protocol: Protocol,
  calls: readonly ScriptedCall[],
): Omit<TurnAnswer, 'body'> {
  const sealedAt = new Map<string, number>();
  let said = '';
  let finishedAt = Infinity;
  let end = 0;
  for (const event of stream.split('\n\n')) {
    end += Buffer.byteLength(event);
    said += pieceIn(event);
    for (const { seal } of calls) {
      if (!sealedAt.has(seal) && said.includes(seal)) sealedAt.set(seal, end);
    }
    if (finishedAt === Infinity && event.includes(LAST_WORDS[protocol])) finishedAt = end;
    end += 2;
  }
  return { sealedAt: calls.map(({ seal }) => sealedAt.get(seal) ?? Infinity), finishedAt };
}

interface AnyEvent {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
    };
  }[];
  readonly delta?: string | { readonly text?: string; readonly partial_json?: string };
}

/** What an event adds to a text or to arguments, whatever the protocol. */
function pieceIn(event: string): string {
  const data = event.split('\n').find((line) => line.startsWith('data: {'));
  if (data === undefined) return '';
  const { choices, delta } = JSON.parse(data.slice('data: '.length)) as AnyEvent;
  if (typeof delta === 'string') return delta;
  const chat = choices?.[0]?.delta;
  const args = chat?.tool_calls?.map((call) => call.function.arguments ?? '').join('') ?? '';
  return (chat?.content ?? '') + args + (delta?.text ?? '') + (delta?.partial_json ?? '');
}
