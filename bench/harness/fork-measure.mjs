import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a script of this folder measures in a process of its own, with the collector at hand. */
export function forkMeasure(script, args, execArgv = ['--expose-gc']) {
  return new Promise((done, failed) => {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const child = fork(path, args.map(String), { execArgv });
    let result;
    child.on('message', (message) => (result = message));
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0 && result !== undefined) done(result);
      else failed(new Error(`${script} ${args.join(' ')} ended with exit code ${code}`));
    });
  });
}

/** Idle circuits of one kind: `memory`, `unused` or `idling`. */
export const measureCircuits = (name, count, what) =>
  forkMeasure('measure-idle.mjs', [name, count, what]);
