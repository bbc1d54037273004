/**
 * What an agent sends in the middle of its work: ten tools, twenty calls with results of about a kilobyte each,
 * in the three protocols that agents speak. Where it is `failing`, the last two calls are the same and failed.
 */
const ROUNDS = 20;

const tools = Array.from({ length: 10 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does the ${at}th thing that an agent needs done, and tells in plain text what came of it.`,
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where to look.' },
      limit: { type: 'integer', description: 'How much of it to show.' },
      options: { type: 'array', items: { type: 'string' } },
    },
    required: ['path'],
  },
}));

function steps(isFailing) {
  return Array.from({ length: ROUNDS }, (_, at) => {
    const hasFailed = isFailing && at >= ROUNDS - 2;
    const file = `src/part-${hasFailed ? 'missing' : at}.ts`;
    const lines = Array.from(
      { length: 16 },
      (_, line) => `${line + 1}\texport const value${at}_${line} = compute(${line});`,
    );
    return {
      id: `call_${String(at).padStart(8, '0')}`,
      name: `tool_${hasFailed ? 3 : at % 10}`,
      arguments: { path: file, limit: 100 },
      result: hasFailed
        ? `Error: ENOENT: no such file or directory, open '${file}'`
        : lines.join('\n'),
    };
  });
}

const SYSTEM = 'You are an agent that works on a repository. '.repeat(20);
const TASK = 'Find out why the tests of the parser are slow, and make them fast.';

const chat = (list) => ({
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: TASK },
    ...list.flatMap(({ id, name, arguments: args, result }) => [
      {
        role: 'assistant',
        content: 'I look at the next one.',
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: 'tool', tool_call_id: id, content: result },
    ]),
  ],
  tools: tools.map((tool) => ({ type: 'function', function: tool })),
});

const messages = (list) => ({
  max_tokens: 1000,
  system: SYSTEM,
  messages: [
    { role: 'user', content: TASK },
    ...list.flatMap(({ id, name, arguments: input, result }) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look at the next one.' },
          { type: 'tool_use', id, name, input },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    ]),
  ],
  tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
});

const responses = (list) => ({
  instructions: SYSTEM,
  input: [
    { role: 'user', content: TASK },
    ...list.flatMap(({ id, name, arguments: args, result }) => [
      { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
      { type: 'function_call_output', call_id: id, output: result },
    ]),
  ],
  tools: tools.map((tool) => ({ type: 'function', ...tool })),
});

const SHAPES = { chat, messages, responses };
const PATHS = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
};

/** A request for a stream, as `{ path, body }`. */
export function conversation(protocol, isFailing = false) {
  const body = { model: 'thinker', stream: true, ...SHAPES[protocol](steps(isFailing)) };
  return { path: PATHS[protocol], body: JSON.stringify(body) };
}
