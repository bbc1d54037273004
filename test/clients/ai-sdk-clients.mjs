import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { MAX_TURNS } from './conversation.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const models = {
  'openai-compatible': ({ url, model }) =>
    createOpenAICompatible({ name: 'holdfast', baseURL: `${url}/v1` }).chatModel(model),
  anthropic: ({ url, model }) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'not-needed' })(model),
};

function settings(job, conversation, provider) {
  const tools = job.tools.map(({ name, description, parameters }) => {
    const execute = (input) => conversation.runTool(name, input);
    return [name, tool({ description, inputSchema: jsonSchema(parameters), execute })];
  });
  return {
    model: models[provider](job),
    prompt: job.prompt,
    tools: Object.fromEntries(tools),
    stopWhen: isStepCount(MAX_TURNS),
    maxRetries: 0,
    onStepFinish: ({ text, finishReason }) => conversation.turn(text, finishReason),
  };
}

const generate = (provider) => (job, conversation) =>
  generateText(settings(job, conversation, provider));

const stream = (provider) => async (job, conversation) => {
  const result = streamText({
    ...settings(job, conversation, provider),
    onError: ({ error }) => conversation.fail(error),
  });
  await result.consumeStream();
};

export const aiSdkClients = Object.fromEntries(
  Object.keys(models).flatMap((provider) => [
    [`ai generateText, ${provider}`, generate(provider)],
    [`ai streamText, ${provider}`, stream(provider)],
  ]),
);
