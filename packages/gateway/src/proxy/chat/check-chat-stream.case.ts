interface Call {
  readonly index?: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface Chunk {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly error?: unknown;
  readonly usage?: unknown;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly tool_calls?: readonly Call[] };
    readonly finish_reason?: string | null;
  }[];
}

class Choice {
  hasRole = false;
  finish = '';
  readonly calls: { args: string }[] = [];
}

/**
 * What is wrong with a stream by the rules of Chat Completions, as its strictest clients keep them. An error
 * ends a stream rightly.
 */
export function problemsOf(stream: string): string[] {
  const problems: string[] = [];
  const choices = new Map<number, Choice>();
  const items = stream.split('\n\n').slice(0, -1);
  let head: string | undefined;
  for (const [at, item] of items.entries()) {
    if (!item.startsWith('data: ')) problems.push(`no data: ${item}`);
    const data = item.replaceAll('\ndata: ', '\n').slice('data: '.length);
    const isLast = at === items.length - 1;
    if (data === '[DONE]') {
      if (!isLast) problems.push('[DONE] is not the last');
      continue;
    }
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) {
      if (!isLast) problems.push('something follows an error');
      return problems;
    }
    if (isLast) problems.push('no [DONE]');
    // What filters found comes before anything is known of the answer.
    if (chunk.choices.length === 0 && chunk.usage === undefined) continue;
    const { id, object, created, model } = chunk;
    const own = JSON.stringify([id, object, created, model]);
    head ??= own;
    if (own !== head) problems.push(`${own} in a stream of ${head}`);
    if (
      object !== 'chat.completion.chunk' ||
      typeof created !== 'number' ||
      id === '' ||
      model === ''
    )
      problems.push(`a head of ${own}`);
    for (const said of chunk.choices) {
      const choice = choices.get(said.index) ?? new Choice();
      choices.set(said.index, choice);
      problems.push(...problemsOfChoice(choice, said));
    }
  }
  for (const choice of choices.values()) {
    if (choice.finish === '') problems.push('a choice without an end');
    if (choice.finish === 'tool_calls' && choice.calls.length === 0) problems.push('no calls');
    for (const { args } of choice.calls)
      if (!isObjectText(args)) problems.push(`bad arguments ${args}`);
  }
  return problems;
}

function problemsOfChoice(choice: Choice, said: Chunk['choices'][number]): string[] {
  const problems: string[] = [];
  if (choice.finish !== '') problems.push('a choice goes on behind its end');
  choice.hasRole ||= said.delta.role === 'assistant';
  if (!choice.hasRole) problems.push('no role at first');
  const calls = said.delta.tool_calls;
  if (calls?.length === 0) problems.push('an empty list of calls');
  for (const call of calls ?? []) problems.push(...problemsOfCall(choice, call));
  choice.finish = said.finish_reason ?? '';
  const words = ['', 'stop', 'length', 'tool_calls', 'content_filter'];
  if (!words.includes(choice.finish)) problems.push(`the end ${choice.finish}`);
  return problems;
}

function problemsOfCall(choice: Choice, { index, id, type, function: called }: Call): string[] {
  if (index === undefined || index > choice.calls.length) return [`index ${index ?? 'none'}`];
  const args = called?.arguments ?? '';
  const begun = choice.calls[index];
  if (begun === undefined) {
    choice.calls.push({ args });
    const isRight = id !== undefined && id !== '' && type === 'function' && called?.name;
    return isRight ? [] : [`a call begins with ${JSON.stringify({ id, type, called })}`];
  }
  begun.args += args;
  return id === undefined && type === undefined && called?.name === undefined
    ? []
    : ['a call begins twice'];
}

function isObjectText(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object';
  } catch {
    return false;
  }
}
