import type { Dialect } from './dialects.ts';
import { kimiK2 } from './kimi-k2.ts';
import { mistral } from './mistral.ts';

/** A header that names the tool, then its arguments as JSON. */
export const HEADER_DIALECTS: readonly Dialect[] = [
  { parser: kimiK2, priority: 80 },
  { parser: mistral, priority: 80 },
];
