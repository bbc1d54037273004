import type { Dialect } from './dialects.ts';
import { glm } from './glm.ts';
import { hy3 } from './hy3.ts';
import { longcatPairs } from './longcat-pairs.ts';
import { qwen3Coder } from './qwen3-coder.ts';
import { seedOss } from './seed-oss.ts';

export const XML_DIALECTS: readonly Dialect[] = [
  { parser: qwen3Coder, priority: 86 },
  { parser: seedOss, priority: 85 },
  { parser: glm, priority: 84 },
  { parser: hy3, priority: 83 },
  { parser: longcatPairs, priority: 81 },
];
