import type { ToolDefinition } from '@holdfast/core';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import type { TurnError } from '../turn/turn-error.ts';
import type { Usage } from '../turn/usage.ts';
import { isShorterThanTools } from './tool-size.ts';
import { toolsRefused } from './tools-refused.ts';

/** What is seen of the answer to a turn that was asked with the `tools` field. */
export interface AnswerFacts {
  readonly tools: readonly ToolDefinition[];
  readonly usage: Usage | undefined;
  readonly callCount: number;
  /** Whether the client asked for a call, of any tool or of one. */
  readonly isCallRequired: boolean;
}

/** What is known of a model, for people. */
export interface ToolModeEntry {
  readonly upstream: string;
  readonly model: string;
  readonly mode: 'native' | 'prompt';
  readonly why: string;
}

interface Known {
  readonly upstream: string;
  readonly model: string;
  readonly mode: 'native' | 'prompt';
  readonly why: string;
  /** Whether it ever made a call: then its tools do arrive. */
  readonly hasCalled: boolean;
  /** Answers in a row without the call that the client required. */
  readonly missedCalls: number;
}

/**
 * Which models are told of their tools in the prompt. What is learnt of a model in `auto` mode is kept until
 * the gateway starts again or takes up another configuration.
 */
export class ToolModes {
  /** In the order of use, the least recent first. */
  readonly #known = new Map<string, Known>();
  readonly #most: number;

  constructor(most: number = MOST_MODELS) {
    this.#most = most;
  }

  /** How a model is asked. Only what speaks Chat Completions can be prompted. */
  modeFor(upstream: UpstreamConfig, model: string): 'native' | 'prompt' {
    const { toolMode, protocols } = upstream;
    if (!protocols.includes('chat')) return 'native';
    if (toolMode !== 'auto') return toolMode;
    const known = this.#get(upstream, model);
    if (known === undefined) return 'native';
    this.#put(known);
    return known.mode;
  }

  /**
   * Whether an error, of a turn that was asked with the `tools` field, says that it is not taken. If so, the
   * model is prompted from now on, and the turn can be asked again.
   */
  refused(upstream: UpstreamConfig, model: string, error: TurnError): boolean {
    if (!isLearning(upstream) || !toolsRefused(error)) return false;
    this.#switch(upstream, model, 'the upstream refused the tools field');
    return true;
  }

  /** Learns from the answer to a turn that was asked with the `tools` field whether anybody read it. */
  answered(upstream: UpstreamConfig, model: string, facts: AnswerFacts): void {
    const { tools, usage, callCount, isCallRequired } = facts;
    if (!isLearning(upstream) || tools.length === 0) return;
    const known = this.#get(upstream, model) ?? unknown(upstream, model);
    if (known.mode === 'prompt') return;
    if (callCount > 0) {
      this.#put({ ...known, hasCalled: true, missedCalls: 0, why: 'the model called a tool' });
    } else if (!known.hasCalled && leavesOut(tools, usage)) {
      this.#switch(upstream, model, 'the upstream counted fewer tokens than the tools have');
    } else if (isCallRequired) {
      const missedCalls = known.missedCalls + 1;
      if (missedCalls >= MOST_MISSED)
        this.#switch(upstream, model, `${missedCalls} calls were required in a row, and none came`);
      else this.#put({ ...known, missedCalls, why: 'a call was required, and none came' });
    }
  }

  /** What was learnt, the least recently used first. */
  entries(): readonly ToolModeEntry[] {
    return [...this.#known.values()].map(({ upstream, model, mode, why }) => ({
      upstream,
      model,
      mode,
      why,
    }));
  }

  #switch(upstream: UpstreamConfig, model: string, why: string): void {
    this.#put({ ...unknown(upstream, model), mode: 'prompt', why });
  }

  #get({ name }: UpstreamConfig, model: string): Known | undefined {
    return this.#known.get(keyOf(name, model));
  }

  #put(known: Known): void {
    const key = keyOf(known.upstream, known.model);
    this.#known.delete(key);
    this.#known.set(key, known);
    // Clients choose the names of models: whoever makes up new ones must not fill the memory.
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#most) break;
      this.#known.delete(oldest);
    }
  }
}

const MOST_MODELS = 1_000;

/** A model may fail to call once for any reason; servers that ignore tools never do. */
const MOST_MISSED = 2;

/** Whether all that the model read is shorter than its tools alone: its template leaves them out. */
function leavesOut(tools: readonly ToolDefinition[], usage: Usage | undefined): boolean {
  // Some servers count nothing, and say 0.
  if (usage === undefined || usage.inputTokens <= 0) return false;
  return isShorterThanTools(usage.inputTokens, tools);
}

function isLearning({ toolMode, protocols }: UpstreamConfig): boolean {
  return toolMode === 'auto' && protocols.includes('chat');
}

function unknown({ name }: UpstreamConfig, model: string): Known {
  return { upstream: name, model, mode: 'native', why: '', hasCalled: false, missedCalls: 0 };
}

function keyOf(upstream: string, model: string): string {
  return `${upstream}\n${model}`;
}
