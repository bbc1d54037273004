import { deepSeekV31 } from './deepseek-v3.1.ts';
import { deepSeekV3 } from './deepseek-v3.ts';
import { cwm } from './cwm.ts';
import type { Dialect } from './dialects.ts';
import { functionaryV31 } from './functionary-v3.1.ts';
import { functionaryV32 } from './functionary-v3.2.ts';
import { inkling } from './inkling.ts';
import { internLm } from './internlm.ts';
import { kimiK2 } from './kimi-k2.ts';
import { mistral } from './mistral.ts';
import { plamo3 } from './plamo3.ts';
import { solarOpen } from './solar-open.ts';
import { useMcpTool } from './use-mcp-tool.ts';

/** A header that names the tool, then its arguments as JSON. */
export const HEADER_DIALECTS: readonly Dialect[] = [
  { parser: deepSeekV31, priority: 81 },
  { parser: deepSeekV3, priority: 80 },
  { parser: kimiK2, priority: 80 },
  { parser: mistral, priority: 80 },
  { parser: solarOpen, priority: 72 },
  { parser: plamo3, priority: 72 },
  { parser: inkling, priority: 71 },
  { parser: internLm, priority: 70 },
  { parser: functionaryV31, priority: 69 },
  { parser: cwm, priority: 68 },
  { parser: useMcpTool, priority: 67 },
  { parser: functionaryV32, priority: 35 },
];
