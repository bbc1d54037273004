import type { Dialect } from './dialects.ts';
import { qwen3Coder } from './qwen3-coder.ts';
import { seedOss } from './seed-oss.ts';

export const XML_DIALECTS: readonly Dialect[] = [
  { parser: qwen3Coder, priority: 86 },
  { parser: seedOss, priority: 85 },
];
