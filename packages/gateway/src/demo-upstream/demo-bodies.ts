/** An answer of a model of the demo. */
export interface DemoTurn {
  readonly id: string;
  readonly model: string;
  /** The text, as it is streamed. Each counts as one token. */
  readonly pieces: readonly string[];
  readonly finishReason: 'stop' | 'length';
  readonly promptTokens: number;
}

/** The same in every run: nothing about the demo depends on the time. */
const CREATED = 1_767_225_600;

/** What `GET /v1/models` answers. */
export function modelsBody(models: readonly string[]): object {
  const data = models.map((id) => ({
    id,
    object: 'model',
    created: CREATED,
    owned_by: 'holdfast-demo',
  }));
  return { object: 'list', data };
}

/** A whole answer. */
export function chatBody(turn: DemoTurn): object {
  const message = { role: 'assistant', content: turn.pieces.join('') };
  return {
    id: turn.id,
    object: 'chat.completion',
    created: CREATED,
    model: turn.model,
    choices: [{ index: 0, message, finish_reason: turn.finishReason }],
    usage: usageOf(turn),
  };
}

/** The events of a stream. */
export function chatChunks(turn: DemoTurn, withUsage: boolean): readonly string[] {
  const event = (fields: object): string => {
    const head = { id: turn.id, object: 'chat.completion.chunk', created: CREATED };
    return `data: ${JSON.stringify({ ...head, model: turn.model, ...fields })}\n\n`;
  };
  const delta = (content: object, finish: string | null = null): string =>
    event({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
  return [
    delta({ role: 'assistant', content: '' }),
    ...turn.pieces.map((content) => delta({ content })),
    delta({}, turn.finishReason),
    ...(withUsage ? [event({ choices: [], usage: usageOf(turn) })] : []),
    'data: [DONE]\n\n',
  ];
}

/** An error in the shape of OpenAI's. */
export function errorBody(message: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } };
}

function usageOf({ promptTokens, pieces }: DemoTurn): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: pieces.length,
    total_tokens: promptTokens + pieces.length,
  };
}
