import type { JsonObject } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { askModel } from './demo-model.ts';
import type { DemoCall, DemoTool } from './demo-model.ts';
import type { DemoStory } from './demo-stories.ts';

/** What an agent needs: where its model is, and how its tools are called. */
export interface DemoAgentMeans {
  readonly url: string;
  readonly tools: readonly DemoTool[];
  callTool(call: DemoCall, signal: AbortSignal): Promise<JsonObject>;
  readonly signal: AbortSignal;
}

/** An agent as many are: asks its model, runs the calls, tells the results, until the model has no more calls. */
export class DemoAgent {
  readonly #story: DemoStory;
  readonly #means: DemoAgentMeans;
  #messages: JsonObject[] = [];
  #told = 0;

  constructor(story: DemoStory, means: DemoAgentMeans) {
    this.#story = story;
    this.#means = means;
  }

  /** The next thing its user says, to the end of what comes of it. */
  async next(): Promise<void> {
    const { prompts, goesOn } = this.#story;
    const at = this.#told++ % prompts.length;
    if (!goesOn || at === 0) this.#messages = [];
    this.#messages.push({ role: 'user', content: prompts[at] ?? '' });
    const calls = await this.#ask();
    if (calls.length === 0) return;
    for (const call of calls) await this.#run(call);
    await this.#ask();
  }

  #ask(): Promise<readonly DemoCall[]> {
    const { url, tools, signal } = this.#means;
    return askModel(url, this.#story, this.#messages, tools, signal);
  }

  async #run(call: DemoCall): Promise<void> {
    const result = await this.#means.callTool(call, this.#means.signal);
    const text = listOf(result['content'])
      .map((block) => textOf(objectOf(block)['text']))
      .join('\n');
    const isError = result['isError'] === true;
    this.#messages.push(
      ...(this.#story.protocol === 'chat' ? inChat(call, text) : inMessages(call, text, isError)),
    );
  }
}

function inChat({ id, name, arguments: args }: DemoCall, text: string): JsonObject[] {
  const called = { name, arguments: JSON.stringify(args) };
  const calls = [{ id, type: 'function', function: called }];
  return [
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: id, content: text },
  ];
}

function inMessages(call: DemoCall, text: string, isError: boolean): JsonObject[] {
  const { id, name, arguments: input } = call;
  const result = { type: 'tool_result', tool_use_id: id, content: text, is_error: isError };
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [result] },
  ];
}
