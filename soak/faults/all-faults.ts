import { childHangs } from './child-hangs.ts';
import { childKilled } from './child-killed.ts';
import { clientBurst } from './client-burst.ts';
import { clockJump } from './clock-jump.ts';
import { configReload } from './config-reload.ts';
import { diskFull } from './disk-full.ts';
import type { Fault } from './fault.ts';
import { fewFiles } from './few-files.ts';
import { loopStalls } from './loop-stalls.ts';
import { redisKilled } from './redis-killed.ts';
import { redisPaused } from './redis-paused.ts';
import { upstreamErrors } from './upstream-errors.ts';
import { upstreamGone } from './upstream-gone.ts';
import { upstreamReset } from './upstream-reset.ts';
import { upstreamStall } from './upstream-stall.ts';
import { upstreamTruncate } from './upstream-truncate.ts';

/** All that can happen. */
export const ALL_FAULTS: readonly Fault[] = [
  upstreamStall,
  upstreamReset,
  upstreamTruncate,
  upstreamErrors,
  upstreamGone,
  childKilled,
  childHangs,
  redisKilled,
  redisPaused,
  diskFull,
  fewFiles,
  clockJump,
  loopStalls,
  clientBurst,
  configReload,
];
