import OpenAI from 'openai';
import { MAX_TURNS } from './conversation.mjs';

const connect = (url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'not-needed', maxRetries: 0 });

/** Tools as Responses describes them: plain, of free text, or in a namespace. */
function describeTools(tools) {
  const inside = (wanted) =>
    tools.filter(({ namespace }) => namespace === wanted).map(describeTool);
  const namespaces = new Set(tools.flatMap(({ namespace }) => namespace ?? []));
  return [
    ...inside(undefined),
    ...[...namespaces].map((name) => ({
      type: 'namespace',
      name,
      description: `Tools of ${name}.`,
      tools: inside(name),
    })),
  ];
}

const describeTool = ({ name, description, parameters, isFreeText }) =>
  isFreeText
    ? { type: 'custom', name, description }
    : { type: 'function', name, description, parameters, strict: false };

/** Runs a call and gives its result as an item. */
function runCall(item, conversation) {
  const name = item.namespace ? `${item.namespace}.${item.name}` : item.name;
  const isCustom = item.type === 'custom_tool_call';
  const input = isCustom ? { input: item.input } : JSON.parse(item.arguments);
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: item.call_id,
    output: conversation.runTool(name, input),
  };
}

/** A loop as it is written by hand: ask, run the tools, send back what they gave. Nothing is kept by the server. */
async function loop(job, conversation, ask) {
  const input = [{ role: 'user', content: job.prompt }];
  const tools = describeTools(job.tools);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const body = { model: job.model, input, tools, store: false };
    const { output, status, error } = await ask(connect(job.url), body);
    if (status === 'failed') throw new OpenAI.APIError(undefined, error, error?.message);
    conversation.turn(textOf(output), status, reasoningOf(output));
    const calls = output.filter(({ type }) => type.endsWith('_call'));
    // An answer that was cut short has no calls that may run.
    if (calls.length === 0 || status !== 'completed') return;
    input.push(...output, ...calls.map((item) => runCall(item, conversation)));
  }
}

const textOf = (output) =>
  output
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => content.map(({ text }) => text ?? ''))
    .join('');

const reasoningOf = (output) =>
  output
    .filter(({ type }) => type === 'reasoning')
    .flatMap(({ summary, content }) => [...summary, ...(content ?? [])])
    .map(({ text }) => text)
    .join('');

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** What the events alone tell: each item as it was when it was done, and how the response ended. */
async function readEvents(stream) {
  const output = [];
  let text = '';
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.output_item.done') output[event.output_index] = event.item;
    if (!ENDS.has(event.type)) continue;
    if (text !== textOf(output)) throw new Error(`deltas ${text}, items ${textOf(output)}`);
    return { ...event.response, output };
  }
  throw new OpenAI.OpenAIError('the stream has no end');
}

export const openaiResponsesClients = {
  'openai responses stream': (job, conversation) =>
    loop(job, conversation, (client, body) => client.responses.stream(body).finalResponse()),
  'openai responses create': (job, conversation) =>
    loop(job, conversation, (client, body) => client.responses.create(body)),
  'openai responses create, streamed': (job, conversation) =>
    loop(job, conversation, async (client, body) =>
      readEvents(await client.responses.create({ ...body, stream: true })),
    ),
};
