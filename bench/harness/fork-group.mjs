import { fork } from 'node:child_process';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { groups } from '../groups.mjs';

/**
 * Runs one group in a process of its own and returns what it measured. `tree` is the repository it measures,
 * `node` the program of another Node.
 */
export function forkGroup(group, options, { tree, node = process.execPath }) {
  const load = loadavg()[0];
  return new Promise((done, failed) => {
    let result;
    const script = join(tree, 'bench', 'run-group.mjs');
    const child = fork(script, [group, JSON.stringify(options)], {
      cwd: tree,
      execPath: node,
      execArgv: groups[group].execArgv ?? [],
    });
    child.on('message', (message) => (result = message));
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0 && result !== undefined) done({ name: nameOf(result, node), load, ...result });
      else failed(new Error(`${group} ended with exit code ${code}`));
    });
  });
}

function nameOf({ group, node: version }, node) {
  return node === process.execPath ? group : `${group}, Node ${version.slice(1).split('.')[0]}`;
}
