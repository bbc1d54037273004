import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { MAX_TURNS } from './conversation.mjs';

const connect = (url) => new Anthropic({ baseURL: url, apiKey: 'not-needed', maxRetries: 0 });
const MAX_TOKENS = 4096;

function tellTurn(conversation, message) {
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  conversation.turn(texts.join(''), message.stop_reason);
}

/** A loop as it is written by hand: ask, run the tools, send back what they gave. */
async function loop(job, conversation, ask) {
  const messages = [{ role: 'user', content: job.prompt }];
  const tools = job.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const body = { model: job.model, max_tokens: MAX_TOKENS, messages, tools };
    const message = await ask(connect(job.url), body);
    tellTurn(conversation, message);
    const calls = message.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({ role: 'assistant', content: message.content });
    const content = calls.map(({ id, name, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: conversation.runTool(name, input),
    }));
    messages.push({ role: 'user', content });
  }
}

/** The SDK's own loop. */
async function toolRunner(job, conversation, stream) {
  const tools = job.tools.map(({ name, description, parameters }) =>
    betaTool({
      name,
      description: description ?? '',
      inputSchema: parameters,
      run: (input) => conversation.runTool(name, input),
    }),
  );
  const runner = connect(job.url).beta.messages.toolRunner({
    model: job.model,
    max_tokens: MAX_TOKENS,
    messages: [{ role: 'user', content: job.prompt }],
    tools,
    stream,
    max_iterations: MAX_TURNS,
  });
  for await (const answer of runner)
    tellTurn(conversation, stream ? await answer.finalMessage() : answer);
}

export const anthropicClients = {
  'anthropic stream': (job, conversation) =>
    loop(job, conversation, (client, body) => client.messages.stream(body).finalMessage()),
  'anthropic create': (job, conversation) =>
    loop(job, conversation, (client, body) => client.messages.create(body)),
  'anthropic toolRunner': (job, conversation) => toolRunner(job, conversation, false),
  'anthropic toolRunner, streamed': (job, conversation) => toolRunner(job, conversation, true),
};
