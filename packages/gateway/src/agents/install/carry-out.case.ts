import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { InstallPlan } from './agent-installer.ts';

/** Does what a plan says, and nothing around it. */
export function carryOut({ edits }: InstallPlan): void {
  for (const { path, after } of edits) {
    mkdirSync(dirname(path), { recursive: true });
    if (after === undefined) rmSync(path);
    else writeFileSync(path, after);
  }
}
