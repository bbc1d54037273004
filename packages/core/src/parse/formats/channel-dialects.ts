import type { Dialect } from './dialects.ts';
import { harmony } from './harmony.ts';

/** Messages with headers: calls, answers and thoughts are told apart by whom they are addressed to. */
export const CHANNEL_DIALECTS: readonly Dialect[] = [{ parser: harmony, priority: 90 }];
