import type { ReasoningEnd } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { isJsonObject } from '../call-keys.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { giveArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const START = '<|start|>';
const CHANNEL = '<|channel|>';
const CONSTRAIN = '<|constrain|>';
const MESSAGE = '<|message|>';
const ENDS = ['<|call|>', '<|end|>', '<|return|>'];
const HEADER_MARKERS = new MarkerSet([START, CHANNEL, CONSTRAIN, MESSAGE, ...ENDS]);
const BODY_ENDS = new MarkerSet(ENDS);
/** No part of a header is longer; prose is. */
const LONGEST_PART = 128;

/** Recipients that are no functions: they take code or commands, not arguments. */
const BUILT_IN = /^(?:browser|python|container)(?:\.|$)/;

const THOUGHT_ENDS: readonly ReasoningEnd[] = [
  ...ENDS.map((text) => ({ text })),
  { text: START, beginsNext: true },
  { text: CHANNEL, beginsNext: true },
];

interface Header {
  role: string;
  channel: string;
  recipient: string;
}

/** Reads a header up to its `<|message|>`; undefined when it is none. `marker` is what it began with. */
function* readHeader(input: ScriptInput, marker: string): Script<Header | undefined> {
  const header: Header = { role: 'assistant', channel: '', recipient: '' };
  let before = marker;
  for (;;) {
    const part = yield* input.until(HEADER_MARKERS);
    if (part.text.length > LONGEST_PART || part.marker === undefined) return undefined;
    const to = /\bto=([^\s<]+)/.exec(part.text)?.[1];
    if (to !== undefined) header.recipient = to;
    if (before === START) header.role = /\S+/.exec(part.text)?.[0] ?? '';
    if (before === CHANNEL) header.channel = /[a-z]+/.exec(part.text)?.[0] ?? '';
    if (ENDS.includes(part.marker)) return undefined;
    input.skip(part.marker.length);
    if (part.marker === MESSAGE) return header;
    before = part.marker;
  }
}

/** `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>`, or a message that is no call. */
function* readMessage(input: ScriptInput, marker: string): Script<Declined | undefined> {
  const header = yield* readHeader(input, marker);
  if (header === undefined || !isHeader(header, marker))
    return input.decline('no header of a message follows');
  const { role, channel, recipient } = header;
  const name = recipient.startsWith('functions.')
    ? recipient.slice('functions.'.length)
    : recipient;
  const isBuiltIn = BUILT_IN.test(name) && input.context.tools?.resolve(name) === undefined;
  const isForFunction = name !== '' && name !== 'assistant' && name !== 'user';
  if (role === 'assistant' && isForFunction && !isBuiltIn)
    return yield* readBody(input, input.beginCall(name));
  // Code for a built-in tool, a note to itself or the echo of a tool's result is no answer either.
  const isThought =
    channel === 'analysis' ||
    isBuiltIn ||
    role !== 'assistant' ||
    (name === 'assistant' && channel !== 'final');
  input.frame = isThought
    ? { kind: 'reasoning', ends: THOUGHT_ENDS }
    : { kind: 'markup', isForUser: channel !== '' };
  return undefined;
}

/** A channel makes it one; without, only the plainest header does, since other dialects address messages too. */
function isHeader({ role, channel, recipient }: Header, marker: string): boolean {
  return channel !== '' || (marker === START && role === 'assistant' && recipient === '');
}

function* readBody(input: ScriptInput, draft: CallDraft): Script<Declined | undefined> {
  yield* input.skipSpace();
  const isEmpty = (yield* input.takeAny(BODY_ENDS)) !== undefined;
  if (isEmpty) {
    input.endCall(draft);
    return undefined;
  }
  const json = yield* input.json({
    endMarker: '<|call|>',
    nextMarker: START,
    argumentsOf: draft,
  });
  if (!isJsonObject(json.value)) return input.stop(json.failure || 'the arguments are no object');
  const problem = giveArguments(draft, json, input.context.maxDepth);
  if (problem !== undefined) return input.stop(problem);
  if (!json.complete) return input.cutShort();
  input.endCall(draft);
  const end = input.offset;
  yield* input.skipSpace();
  // Without an end marker the space behind the call is not part of it.
  if ((yield* input.takeAny(BODY_ENDS)) === undefined) {
    draft.note('missing-end-marker');
    input.endsAt = end;
  }
  return undefined;
}

/** `<|start|>assistant…`: a header, or just where the next message would begin. */
function* readStart(input: ScriptInput): Script<Declined | undefined> {
  return yield* readMessage(input, START);
}

function* readChannel(input: ScriptInput): Script<Declined | undefined> {
  return yield* readMessage(input, CHANNEL);
}

/** ` to=functions.f<|channel|>…`: the text begins inside a header. */
function* readRecipient(input: ScriptInput): Script<Declined | undefined> {
  return yield* readMessage(input, '');
}

/** The end of a message, where there were messages before. */
// eslint-disable-next-line require-yield -- a script that needs no more text
function* readEnd(input: ScriptInput): Script<Declined | undefined> {
  if (!input.context.hasRead('harmony')) return input.decline('no message began before');
  input.frame = { kind: 'markup' };
  return undefined;
}

/** The messages of gpt-oss: analysis is reasoning, what is addressed to a function is a call, the rest is text. */
export const harmony: FormatParser = new FormatParser({
  name: 'harmony',
  formats: [
    scriptFormat([CHANNEL], readChannel),
    scriptFormat([START], readStart),
    scriptFormat([{ text: 'to=', at: 'text-start', bodyFrom: 0 }], readRecipient),
    scriptFormat(ENDS, readEnd),
  ],
  sample:
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "notes.md"}<|call|>',
  models: ['gpt-oss', 'llm-jp-4'],
});
