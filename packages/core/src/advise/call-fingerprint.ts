import type { AdvisedCall } from './advised-call.ts';
import { guessToolKind } from './classify/tool-kind.ts';
import { hashCall } from './loops/fingerprints.ts';

/** The same text for calls that do the same: tool and arguments, whatever the order of keys and what a model says to itself. */
export function callFingerprint(call: AdvisedCall): string {
  return hashCall(call, guessToolKind(call.tool), NOTHING_IGNORED);
}

const NOTHING_IGNORED: readonly string[] = [];
