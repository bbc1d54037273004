import OpenAI from 'openai';
import { MAX_TURNS } from './conversation.mjs';

const connect = (url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'not-needed', maxRetries: 0 });

const describeTools = (tools) =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));

/** A loop as it is written by hand: ask, run the tools, send back what they gave. */
async function loop(job, conversation, ask) {
  const messages = [{ role: 'user', content: job.prompt }];
  const tools = describeTools(job.tools);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const completion = await ask(connect(job.url), { model: job.model, messages, tools });
    const { message, finish_reason: finish } = completion.choices[0];
    conversation.turn(message.content, finish);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return;
    messages.push({ role: 'assistant', content: message.content, tool_calls: calls });
    for (const call of calls) {
      const input = JSON.parse(call.function.arguments);
      const content = conversation.runTool(call.function.name, input);
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

/** The SDK's own loop. */
async function runTools(job, conversation, stream) {
  const tools = describeTools(job.tools).map((tool) => ({
    ...tool,
    function: {
      ...tool.function,
      parse: JSON.parse,
      function: (input) => conversation.runTool(tool.function.name, input),
    },
  }));
  const messages = [{ role: 'user', content: job.prompt }];
  const runner = connect(job.url).chat.completions.runTools(
    { model: job.model, messages, tools, stream },
    { maxChatCompletions: MAX_TURNS },
  );
  runner.on('chatCompletion', ({ choices: [{ message, finish_reason: finish }] }) => {
    conversation.turn(message.content, finish);
  });
  await runner.done();
}

export const openaiClients = {
  'openai stream': (job, conversation) =>
    loop(job, conversation, (client, body) =>
      client.chat.completions.stream(body).finalChatCompletion(),
    ),
  'openai create': (job, conversation) =>
    loop(job, conversation, (client, body) => client.chat.completions.create(body)),
  'openai runTools': (job, conversation) => runTools(job, conversation, false),
  'openai runTools, streamed': (job, conversation) => runTools(job, conversation, true),
};
