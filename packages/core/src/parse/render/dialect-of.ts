import { InvalidOptionError } from '../../errors.ts';
import { FORMAT_ALIASES } from '../format-aliases.ts';
import { anthropicXml } from './dialects/anthropic-xml.ts';
import { commentary } from './dialects/commentary.ts';
import { cwm } from './dialects/cwm.ts';
import { deepseekDsml } from './dialects/deepseek-dsml.ts';
import { deepseekV31 } from './dialects/deepseek-v3.1.ts';
import { gemma4 } from './dialects/gemma4.ts';
import { gigachat } from './dialects/gigachat.ts';
import { glm } from './dialects/glm.ts';
import { harmony } from './dialects/harmony.ts';
import { k2Horizon } from './dialects/k2-horizon.ts';
import { kimiK2 } from './dialects/kimi-k2.ts';
import { llama3Json } from './dialects/llama3-json.ts';
import { lmStudio } from './dialects/lm-studio.ts';
import { minimaxM2 } from './dialects/minimax-m2.ts';
import { mistral } from './dialects/mistral.ts';
import { openai } from './dialects/openai.ts';
import { plamo3 } from './dialects/plamo3.ts';
import { pythonic } from './dialects/pythonic.ts';
import { qwen } from './dialects/qwen.ts';
import { qwen3Coder } from './dialects/qwen3-coder.ts';
import { react } from './dialects/react.ts';
import { solarOpen2 } from './dialects/solar-open2.ts';
import { toolNameXml } from './dialects/tool-name-xml.ts';
import { useMcpTool } from './dialects/use-mcp-tool.ts';
import type { RenderDialect } from './render-dialect.ts';

const DIALECTS: ReadonlyMap<string, RenderDialect> = new Map(
  [
    anthropicXml,
    commentary,
    cwm,
    deepseekDsml,
    deepseekV31,
    gemma4,
    gigachat,
    glm,
    harmony,
    k2Horizon,
    kimiK2,
    llama3Json,
    lmStudio,
    minimaxM2,
    mistral,
    openai,
    plamo3,
    pythonic,
    qwen,
    qwen3Coder,
    react,
    solarOpen2,
    toolNameXml,
    useMcpTool,
  ].map((dialect) => [dialect.format, dialect] as const),
);

/** The formats that can be written, by the names of the parsers that read them. */
export const RENDER_FORMATS: readonly string[] = Object.freeze([...DIALECTS.keys()]);

export function dialectOf(format: string): RenderDialect {
  const dialect = DIALECTS.get(FORMAT_ALIASES.get(format) ?? format);
  if (dialect !== undefined) return dialect;
  throw new InvalidOptionError('format', `one of ${RENDER_FORMATS.join(', ')}`, format);
}
