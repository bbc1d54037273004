import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { runProgram } from './agent.ts';

/** A Holdfast that nobody else has. */
export interface OwnHoldfast {
  /** Runs it as a user of that home does, and gives what it printed. */
  run(args: readonly string[], place: HoldfastPlace): Promise<string>;
  /** Takes it away as `npm uninstall` does: what it installed in agents stays. */
  remove(): void;
}

export interface HoldfastPlace {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Copies what was built to a path that a shell takes apart where it is not quoted. */
export function ownHoldfast(folder: string): OwnHoldfast {
  const place = join(folder, "it's a place & more");
  const own = join(place, 'holdfast');
  mkdirSync(own, { recursive: true });
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, 'packages', 'gateway', name), join(own, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'junction');
  return {
    run: (args, { cwd, home, env = {} }) =>
      runProgram(process.execPath, [join(own, 'bin', 'holdfast.js'), ...args], {
        cwd,
        env: { HOME: home, ...env },
      }),
    remove: () => {
      rmSync(own, { recursive: true });
    },
  };
}
