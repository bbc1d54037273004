import { apertus } from './apertus.ts';
import { cohere } from './cohere.ts';
import { commandR } from './command-r.ts';
import type { Dialect } from './dialects.ts';
import { functools } from './functools.ts';
import { genericJson } from './generic-json.ts';
import { gigachat } from './gigachat.ts';
import { granite } from './granite.ts';
import { llama3Json } from './llama3-json.ts';
import { lmStudio } from './lm-studio.ts';
import { longcat } from './longcat.ts';
import { nemotronV2 } from './nemotron-v2.ts';
import { toolCallsTag } from './tool-calls-tag.ts';
import { xlam } from './xlam.ts';

/** JSON that holds names and arguments, between markers or without. */
export const JSON_DIALECTS: readonly Dialect[] = [
  { parser: cohere, priority: 72 },
  { parser: gigachat, priority: 71 },
  { parser: granite, priority: 70 },
  { parser: apertus, priority: 69 },
  { parser: longcat, priority: 68 },
  { parser: toolCallsTag, priority: 67 },
  { parser: nemotronV2, priority: 66 },
  { parser: lmStudio, priority: 65 },
  { parser: functools, priority: 64 },
  { parser: commandR, priority: 63 },
  { parser: genericJson, priority: 45 },
  { parser: llama3Json, priority: 42 },
  { parser: xlam, priority: 41 },
];
