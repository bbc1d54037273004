import { bareCall } from './bare-call.ts';
import type { Dialect } from './dialects.ts';
import { functionGemma } from './functiongemma.ts';
import { gemma4 } from './gemma4.ts';
import { lfm2 } from './lfm2.ts';
import { llamaBuiltin } from './llama-builtin.ts';
import { olmo3 } from './olmo3.ts';
import { pythonic } from './pythonic.ts';
import { react } from './react.ts';

/** Calls written as Python writes them, and those written as keys and values. */
export const PYTHONIC_DIALECTS: readonly Dialect[] = [
  { parser: gemma4, priority: 74 },
  { parser: functionGemma, priority: 73 },
  { parser: lfm2, priority: 72 },
  { parser: llamaBuiltin, priority: 71 },
  { parser: olmo3, priority: 70 },
  { parser: pythonic, priority: 40 },
  { parser: react, priority: 39 },
  { parser: bareCall, priority: 30 },
];
