import type { Classification, ToolResult } from '../classification.ts';
import { fromBody } from './from-body.ts';
import { fromExit } from './from-exit.ts';
import { fromHost, fromRefusal } from './from-host.ts';
import { fromPage } from './from-page.ts';
import { fromSuccess } from './from-success.ts';
import { fromText } from './from-text.ts';
import { readSignals } from './signals.ts';
import { checkToolSettings } from './tool-settings.ts';
import type { ToolSettings } from './tool-settings.ts';
import { UNKNOWN } from './verdict.ts';

/** Each may decide; what it cannot decide it leaves to the next. */
const STEPS = [fromRefusal, fromHost, fromExit, fromBody, fromPage, fromSuccess, fromText] as const;

/**
 * What became of a call. Structured signals decide, in this order: whether it ran, the host's flag, the exit
 * code, what the body of an API says, the status of a page. Text decides only where nothing else does, and
 * then only lines that can be nothing but an error; what is left is `unknown`.
 */
export function classify(result: ToolResult, settings: ToolSettings = {}): Classification {
  checkToolSettings(settings);
  const signals = readSignals(result, settings);
  for (const step of STEPS) {
    const verdict = step(signals);
    if (verdict !== undefined) return verdict;
  }
  return UNKNOWN;
}
