/** A part of an answer in Anthropic's protocol. */
export type MessagesBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

/** An event of such a stream: its name and its data. */
export type MessagesEvent = readonly [name: string, data: object];

const USAGE = { input_tokens: 11, output_tokens: 7 };

const messageOf = (
  content: readonly object[],
  stopReason: string | null,
  id = 'msg_scripted',
): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: USAGE,
});

/** A whole answer of Anthropic's protocol. */
export const messagesBodyOf = (blocks: readonly MessagesBlock[], stopReason = 'end_turn'): string =>
  JSON.stringify(messageOf(blocks, stopReason));

export interface MessagesOptions {
  readonly stopReason?: string;
  readonly cut?: number;
  /** Of the message. Some clients take messages of one id for one. */
  readonly id?: string | undefined;
}

/** The events of an answer in Anthropic's protocol; `cut` characters of a text or an input in each. */
export function messagesEvents(
  blocks: readonly MessagesBlock[],
  { stopReason = 'end_turn', cut = Infinity, id }: MessagesOptions = {},
): readonly MessagesEvent[] {
  return [
    event('message_start', { message: messageOf([], null, id) }),
    ...blocks.flatMap((block, index) => [
      event('content_block_start', { index, content_block: opening(block) }),
      ...deltasOf(block, cut).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: USAGE,
    }),
    event('message_stop', {}),
  ];
}

/** Events as they are sent; `named` false leaves out their `event:` lines, as some servers do. */
export const messagesStreamOf = (events: readonly MessagesEvent[], named = true): string =>
  events
    .map(([name, data]) => `${named ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
    .join('');

export const event = (type: string, fields: object): MessagesEvent => [type, { type, ...fields }];

function opening(block: MessagesBlock): object {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltasOf(block: MessagesBlock, cut: number): readonly object[] {
  if (block.type === 'text')
    return pieces(block.text, cut).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    const { thinking, signature } = block;
    return [
      { type: 'thinking_delta', thinking },
      ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
    ];
  }
  return pieces(JSON.stringify(block.input), cut).map((json) => ({
    type: 'input_json_delta',
    partial_json: json,
  }));
}

function pieces(text: string, cut: number): readonly string[] {
  const characters = Array.from(text);
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += cut)
    found.push(characters.slice(at, at + cut).join(''));
  return found;
}
