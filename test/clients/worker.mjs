import { createInterface } from 'node:readline';
import { aiSdkClients } from './ai-sdk-clients.mjs';
import { anthropicClients } from './anthropic-clients.mjs';
import { Conversation } from './conversation.mjs';
import { openaiClients } from './openai-clients.mjs';
import { openaiResponsesClients } from './openai-responses-clients.mjs';

// Reads jobs as lines of JSON, each { id, client, url, model, prompt, tools }, and answers each with what its
// client saw. Jobs run side by side: a client that waits costs nothing.
const clients = {
  ...openaiClients,
  ...openaiResponsesClients,
  ...anthropicClients,
  ...aiSdkClients,
};
const SIDE_BY_SIDE = 16;

async function run(job) {
  const conversation = new Conversation();
  try {
    await clients[job.client](job, conversation);
  } catch (error) {
    conversation.fail(error);
  }
  return { id: job.id, ...conversation.outcome() };
}

const waiting = [];
let running = 0;

function next() {
  while (running < SIDE_BY_SIDE && waiting.length > 0) {
    running += 1;
    run(waiting.shift()).then((outcome) => {
      running -= 1;
      process.stdout.write(`${JSON.stringify(outcome)}\n`);
      next();
    });
  }
}

process.stdout.write(`${JSON.stringify({ clients: Object.keys(clients) })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  waiting.push(JSON.parse(line));
  next();
}
