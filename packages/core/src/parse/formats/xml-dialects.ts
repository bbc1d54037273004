import type { Dialect } from './dialects.ts';
import { anthropicXml } from './anthropic-xml.ts';
import { deepseekDsml } from './deepseek-dsml.ts';
import { dots } from './dots.ts';
import { glm } from './glm.ts';
import { hy3 } from './hy3.ts';
import { k2Horizon } from './k2-horizon.ts';
import { kimiK3 } from './kimi-k3.ts';
import { longcatPairs } from './longcat-pairs.ts';
import { minicpm5 } from './minicpm5.ts';
import { minimaxM2 } from './minimax-m2.ts';
import { minimaxM3 } from './minimax-m3.ts';
import { museGlimmer } from './muse-glimmer.ts';
import { qwen3Coder } from './qwen3-coder.ts';
import { seedOss } from './seed-oss.ts';
import { solarOpen2 } from './solar-open2.ts';
import { step3 } from './step3.ts';
import { toolNameXml } from './tool-name-xml.ts';

export const XML_DIALECTS: readonly Dialect[] = [
  { parser: qwen3Coder, priority: 86 },
  { parser: seedOss, priority: 85 },
  { parser: glm, priority: 84 },
  { parser: hy3, priority: 83 },
  { parser: deepseekDsml, priority: 82 },
  { parser: longcatPairs, priority: 81 },
  { parser: minimaxM3, priority: 80 },
  { parser: minimaxM2, priority: 79 },
  { parser: k2Horizon, priority: 79 },
  { parser: solarOpen2, priority: 79 },
  { parser: kimiK3, priority: 78 },
  { parser: step3, priority: 77 },
  { parser: dots, priority: 76 },
  { parser: museGlimmer, priority: 74 },
  { parser: minicpm5, priority: 68 },
  { parser: anthropicXml, priority: 66 },
  { parser: toolNameXml, priority: 35 },
];
