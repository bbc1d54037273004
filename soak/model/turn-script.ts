import type { JsonObject, ToolDefinition } from '@holdfast/core';
import { renderToolCall } from '@holdfast/core/parse';
import { Dice } from '../dice.ts';

/** A call that the model makes. Its last argument shows, wherever it is read, that nothing before it is missing. */
export interface ScriptedCall {
  /** Of the effect that the tool has. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly seal: string;
  /** As the model writes it; empty where the server tells the call itself. */
  readonly source: string;
}

/** What the model says in one turn: texts with calls between them. */
export interface TurnScript {
  readonly id: string;
  /** One more than there are calls. */
  readonly texts: readonly string[];
  readonly calls: readonly ScriptedCall[];
  readonly isNative: boolean;
  /** Characters in an event of the stream. */
  readonly cut: number;
  /** How many pieces the answer is sent in, and how long each takes. */
  readonly pieces: number;
  readonly pauseMs: number;
  /** For what is drawn while it is told. */
  readonly dice: Dice;
}

/** All of these can stand between two texts. */
const DIALECTS = [
  'qwen',
  'anthropic-xml',
  'commentary',
  'deepseek-dsml',
  'deepseek-v3.1',
  'gemma4',
  'glm',
  'harmony',
  'kimi-k2',
  'llama3-json',
  'lm-studio',
  'minimax-m2',
  'mistral',
  'openai',
  'pythonic',
  'qwen3-coder',
] as const;

/** Words that look like the beginning of a call, or are hard to cut. */
const WORDS = [
  'Ich sehe nach: ',
  'größer als 📁 ',
  '<b>bold</b> ',
  'a < b && b > c ',
  '\n\n- one\n- two\n',
  'the <tool of choice ',
  '{ "json": true } ',
  '`inline [code]` ',
  '\r\nnext line ',
  '日本語のテキスト ',
  '👩‍👩‍👧 ',
  '\t',
] as const;

const PARAMETERS: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    note: { type: 'string' },
    ms: { type: 'integer' },
    end: { type: 'string', enum: ['before', 'behind'] },
    seal: { type: 'string' },
  },
  required: ['id'],
};

/** The tools that models are offered, by the names under which the gateway has them. */
export const OFFERED: readonly ToolDefinition[] = ['till__pay', 'shelf__look'].map((name) => ({
  name,
  description: 'One of the tools of the soak run',
  parameters: PARAMETERS,
}));

/** A million turns a character at a time would take hours. */
const SMALLEST_QUICK_CUT = 7;

export interface TurnShape {
  /** 3 if absent. */
  readonly mostCalls?: number;
  /** The model takes no time to say it, and says it in pieces that are not the smallest. */
  readonly isQuick?: boolean;
  /** Calls are written by the model, never told by its server. */
  readonly isWritten?: boolean;
  /** How long each text is at least. */
  readonly textCharacters?: number;
}

/** Draws what the model says in a turn. The same seed and id give the same turn. */
export function writeTurn(seed: number, id: string, shape: TurnShape = {}): TurnScript {
  const { mostCalls = 3, isQuick = false, isWritten = false, textCharacters = 0 } = shape;
  const dice = new Dice(seed, `turn ${id}`);
  const isNative = dice.chance(0.3) && !isWritten;
  const dialect = dice.pick(DIALECTS);
  const count = dice.chance(0.3) ? 0 : dice.whole(Math.min(1, mostCalls), mostCalls);
  const calls = Array.from({ length: count }, (_, index) => {
    const { name, ...call } = drawCall(dice, `${id}.${index}`);
    const source = isNative ? '' : renderToolCall({ name, arguments: call.arguments }, dialect);
    return { name, source, ...call };
  });
  return {
    id,
    texts: Array.from({ length: count + 1 }, () => drawText(dice, textCharacters)),
    calls,
    isNative,
    cut: Math.max(dice.pick([1, 3, 7, 24, 200]), isQuick ? SMALLEST_QUICK_CUT : 1),
    pieces: dice.whole(1, 12),
    pauseMs: isQuick ? 0 : dice.whole(0, 40),
    dice,
  };
}

function drawCall(dice: Dice, id: string): Omit<ScriptedCall, 'source'> {
  const name = dice.pick(['till__pay', 'till__pay', 'shelf__look']);
  const seal = `seal-${id}`;
  const args = { id, note: drawText(dice).trim() || 'none', ms: dice.whole(0, 60), seal };
  return { id, name, arguments: args, seal };
}

function drawText(dice: Dice, characters = 0): string {
  const words = Array.from({ length: dice.whole(1, 8) }, () => dice.pick(WORDS));
  // A letter at each end: what a dialect may take for its own white space is no matter of this run.
  return `I${words.join('').padEnd(characters, '語')}o`;
}

/** What the client is told as text where the first `told` calls are told as calls; the others are as they were written. */
export function textWithout({ texts, calls }: TurnScript, told: number): string {
  return texts
    .map((text, index) => text + (index >= told ? (calls[index]?.source ?? '') : ''))
    .join('');
}
