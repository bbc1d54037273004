import type { Dialect } from './dialects.ts';
import { functionGemma } from './functiongemma.ts';
import { gemma4 } from './gemma4.ts';

/** Calls written as Python writes them, and those written as keys and values. */
export const PYTHONIC_DIALECTS: readonly Dialect[] = [
  { parser: gemma4, priority: 74 },
  { parser: functionGemma, priority: 73 },
];
