import { sampleCall } from './sample-calls.ts';

export interface ChatAnswerOptions {
  /** The sample call of this dialect follows the text. */
  readonly dialect?: string;
  /** Characters in one event; `whole`, if absent. Not to be confused with the cutting of bytes. */
  readonly cut?: number | 'whole';
  /** `stop`, if absent. */
  readonly finishReason?: string;
  /** Said before the text, in a field of its own. */
  readonly reasoning?: string;
  /** `scripted`, if absent. */
  readonly model?: string;
  /** False: the stream ends without `[DONE]`. */
  readonly done?: boolean;
}

const HEAD = { id: 'chatcmpl-scripted', created: 1_750_000_000 };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A stream of Chat Completions that says a text, and nothing of tools: the body of a scripted answer. */
export function chatStreamOf(text: string, options: ChatAnswerOptions = {}): string {
  const { reasoning, finishReason = 'stop', done = true } = options;
  const pieces = cutText(withCall(text, options.dialect), options.cut ?? 'whole');
  const deltas: object[] = [
    { role: 'assistant', content: '' },
    ...(reasoning === undefined ? [] : [{ reasoning_content: reasoning }]),
    ...pieces.map((content) => ({ content })),
  ];
  return chatEvents(deltas, { finishReason, done, model: options.model ?? 'scripted' });
}

/** The same answer whole. */
export function chatBodyOf(text: string, options: ChatAnswerOptions = {}): string {
  const { reasoning, finishReason = 'stop', model = 'scripted' } = options;
  const message = {
    role: 'assistant',
    content: withCall(text, options.dialect),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  };
  return chatBody(message, finishReason, model);
}

/** A stream of Chat Completions from its deltas. A finish reason of null means that none is told. */
export function chatEvents(
  deltas: readonly object[],
  {
    finishReason = 'stop',
    done = true,
    model = 'scripted',
    usage = true,
  }: {
    readonly finishReason?: string | null;
    readonly done?: boolean;
    readonly model?: string;
    readonly usage?: boolean;
  } = {},
): string {
  const chunk = (fields: object): string =>
    `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', model, ...fields })}\n\n`;
  const choice = (delta: object, finish: string | null): object => ({
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return [
    ...deltas.map((delta) => chunk(choice(delta, null))),
    ...(finishReason === null ? [] : [chunk(choice({}, finishReason))]),
    ...(usage ? [chunk({ choices: [], usage: USAGE })] : []),
    ...(done ? ['data: [DONE]\n\n'] : []),
  ].join('');
}

/** A whole answer of Chat Completions from its message. */
export function chatBody(
  message: object,
  finishReason: string | null = 'stop',
  model = 'scripted',
): string {
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  return JSON.stringify({ ...HEAD, object: 'chat.completion', model, choices, usage: USAGE });
}

function withCall(text: string, dialect: string | undefined): string {
  return dialect === undefined ? text : text + sampleCall(dialect).text;
}

function cutText(text: string, cut: number | 'whole'): readonly string[] {
  if (cut === 'whole') return text === '' ? [] : [text];
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += cut) {
    pieces.push(characters.slice(at, at + cut).join(''));
  }
  return pieces;
}
