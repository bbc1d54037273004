import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { MAX_TURNS } from './conversation.mjs';

const { tools: openaiTools } = createOpenAI({ apiKey: 'not-needed' });

globalThis.AI_SDK_LOG_WARNINGS = false;

const models = {
  'openai-compatible': ({ url, model }) =>
    createOpenAICompatible({ name: 'holdfast', baseURL: `${url}/v1` }).chatModel(model),
  anthropic: ({ url, model }) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'not-needed' })(model),
  openai: ({ url, model }) => connect(url)(model),
};

const connect = (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'not-needed' });

function toolOf({ name, description, parameters, namespace, isFreeText }, conversation) {
  if (isFreeText) {
    const execute = (input) => conversation.runTool(name, { input });
    return Object.assign(openaiTools.customTool({ description }), { execute });
  }
  const known = namespace === undefined ? name : `${namespace}.${name}`;
  const execute = (input) => conversation.runTool(known, input);
  const about = { name: namespace, description: `Tools of ${namespace}.` };
  const providerOptions = namespace === undefined ? {} : { openai: { namespace: about } };
  return tool({ description, inputSchema: jsonSchema(parameters), execute, providerOptions });
}

function settings(job, conversation, provider) {
  const tools = job.tools.map((each) => [each.name, toolOf(each, conversation)]);
  return {
    model: models[provider](job),
    prompt: job.prompt,
    tools: Object.fromEntries(tools),
    // By default the provider only names texts that it was sent, as if they were stored.
    providerOptions: job.store === undefined ? {} : { openai: { store: job.store } },
    stopWhen: isStepCount(MAX_TURNS),
    maxRetries: 0,
    onStepFinish: ({ text, finishReason, reasoningText }) =>
      conversation.turn(text, finishReason, reasoningText),
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
