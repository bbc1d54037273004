import { deepSeekV31 } from './deepseek-v3.1.ts';
import { deepSeekV3 } from './deepseek-v3.ts';
import type { Dialect } from './dialects.ts';
import { kimiK2 } from './kimi-k2.ts';
import { mistral } from './mistral.ts';

/** A header that names the tool, then its arguments as JSON. */
export const HEADER_DIALECTS: readonly Dialect[] = [
  { parser: deepSeekV31, priority: 81 },
  { parser: deepSeekV3, priority: 80 },
  { parser: kimiK2, priority: 80 },
  { parser: mistral, priority: 80 },
];
