import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import type { ObserveConfig } from '../config/gateway-config.ts';
import { partOfValue } from '../log/part-of-value.ts';
import { maskValues, redactValue } from '../redact/redactor.ts';
import type { Mask, Redactor } from '../redact/redactor.ts';
import type { CapturedTurn, ToldPart } from '../proxy/capture/captured-turn.ts';
import type { ClientRequest } from '../proxy/client-protocol.ts';
import { isObject } from '../proxy/json/json-fields.ts';
import type { TurnEnded } from './gateway-event.ts';
import { maskCalls } from './mask-calls.ts';
import { maskConversation } from './mask-conversation.ts';
import { maskValuesOf, maskWords, wordsOf } from './mask-words.ts';

export interface CapturesOptions {
  /** What the configuration in force says. */
  readonly settings: () => Pick<ObserveConfig, 'capture' | 'captureRequests' | 'reveal'>;
}

/** What was said in a turn, without secrets. */
interface Kept {
  readonly raw: string;
  readonly rawReasoning: string;
  /** Calls that the upstream has read itself. */
  readonly native: readonly string[];
  readonly told: readonly ToldPart[];
  readonly prompt: JsonValue;
  readonly tools: readonly ToolDefinition[];
  readonly isCut: boolean;
  /** In characters, roughly. */
  readonly size: number;
}

/** All that is kept together, in characters. */
const MOST_CHARACTERS = 32_000_000;
const LONGEST_PROMPT = 100_000;
/** No secret is shorter that is taken out of texts. */
const SHORTEST_SECRET = 8;
/** Shorter values are words that stand everywhere. */
const SHORTEST_VALUE = 6;

/**
 * What was said in the last turns, while the configuration asks for it: in memory only, bounded in number and size,
 * and without secrets from the first on. Arguments and results are masked when they are asked for, unless they are
 * to be revealed.
 */
export class Captures {
  readonly #options: CapturesOptions;
  /** Oldest first. */
  readonly #kept = new Map<TurnEnded, Kept>();
  #size = 0;

  constructor(options: CapturesOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#options.settings().capture;
  }

  /** Of how many turns it is kept what was said; 0 while that is off. */
  get limit(): number {
    const { capture, captureRequests } = this.#options.settings();
    return capture ? captureRequests : 0;
  }

  keep(
    turn: TurnEnded,
    captured: CapturedTurn,
    { body, tools }: ClientRequest,
    redactor: Redactor,
  ): void {
    const mask: Mask = (text) => (text.length < SHORTEST_SECRET ? text : redactor.text(text));
    const { tools: _offered, ...conversation } = body;
    const prompt = redactPrompt(conversation, mask);
    const kept = {
      raw: mask(captured.raw),
      rawReasoning: mask(captured.rawReasoning),
      native: captured.nativeCalls.map(mask),
      told: redactValue(captured.told, mask) as readonly ToldPart[],
      prompt: prompt.value,
      tools,
      isCut: captured.isCut,
      size: captured.size + prompt.size,
    };
    this.#kept.set(turn, kept);
    this.#size += kept.size;
    this.trim();
  }

  /** Forgets what is no longer to be kept. */
  trim(): void {
    const { capture, captureRequests } = this.#options.settings();
    for (const [turn, { size }] of this.#kept) {
      const isMuch = this.#kept.size > captureRequests || this.#size > MOST_CHARACTERS;
      if (capture && !isMuch) return;
      this.#kept.delete(turn);
      this.#size -= size;
    }
  }

  has(turn: TurnEnded): boolean {
    return this.#kept.has(turn);
  }

  /** As it is told. */
  of(turn: TurnEnded): JsonObject | undefined {
    const kept = this.#kept.get(turn);
    if (kept === undefined) return undefined;
    const { rawReasoning, told, prompt, isCut } = kept;
    const isMasked = !this.#options.settings().reveal;
    const shown = isMasked ? hiding(kept) : (text: string) => text;
    return {
      raw: rawOf(kept, isMasked, shown),
      raw_reasoning: shown(rawReasoning),
      told: told.map((part): JsonObject => {
        if (part.kind !== 'call') return { kind: part.kind, text: shown(part.text) };
        const { kind, name, arguments: args, format = null, repairs } = part;
        const values = isMasked ? maskValuesOf(args) : args;
        return { kind, name, arguments: values, format, repairs: [...repairs] };
      }),
      prompt: isMasked ? maskPrompt(prompt) : prompt,
      is_masked: isMasked,
      is_cut: isCut,
    };
  }

  /** The beginning of what the upstream said, as it is told. */
  textOf(turn: TurnEnded, longest: number): string | undefined {
    const kept = this.#kept.get(turn);
    if (kept === undefined) return undefined;
    const cut = { ...kept, raw: kept.raw.slice(0, longest) };
    const isMasked = !this.#options.settings().reveal;
    return rawOf(cut, isMasked, isMasked ? hiding(kept) : (text) => text).slice(0, longest);
  }
}

/** What the upstream said, behind it the calls that it has read itself. */
function rawOf({ raw, native, tools }: Kept, isMasked: boolean, shown: Mask): string {
  const calls = isMasked ? native.map((call) => maskWords(call, wordsOf(tools))) : native;
  return [shown(raw), ...calls].filter((part) => part !== '').join('\n');
}

/** Hides what stands in calls, and what is known to have stood in one wherever else it stands. */
function hiding({ told, tools }: Kept): Mask {
  const known = wordsOf(tools);
  const calls = told.flatMap((part) => (part.kind === 'call' ? textsIn(part.arguments) : []));
  const values = calls.filter((text) => text.length >= SHORTEST_VALUE);
  return (text) => maskValues(maskCalls(text, tools, known), values);
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as JsonValue[]).flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A prompt that is too long is kept as the end of its text, which is what the turn answers to. */
function redactPrompt(
  conversation: JsonObject,
  mask: Mask,
): { readonly value: JsonValue; readonly size: number } {
  // What is not kept is not searched for secrets: that takes long.
  const room = { room: 1.2 * LONGEST_PROMPT, from: 'end', mostText: 2 * LONGEST_PROMPT } as const;
  const part = partOfValue(conversation, room);
  const body = redactValue(part.value, mask) as JsonObject;
  const json = JSON.stringify(body);
  if (!part.isCut && json.length <= LONGEST_PROMPT) return { value: body, size: json.length };
  return { value: `… ${json.slice(-LONGEST_PROMPT)}`, size: LONGEST_PROMPT };
}

/** Of one that was cut nobody can tell what is an argument. */
function maskPrompt(prompt: JsonValue): JsonValue {
  return typeof prompt === 'string' ? null : maskConversation(prompt);
}
