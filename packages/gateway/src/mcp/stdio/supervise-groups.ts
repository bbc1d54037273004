/**
 * The program of the supervisor: learns the groups of processes from lines `+<id>` and `-<id>` on its standard
 * input, and ends those that are left when that closes, which it does however the gateway ends.
 *
 * It is run from its own text (`group-supervisor.ts`), so that it needs no file of its own, in source or built.
 * Therefore it uses globals only, and nothing within it has a name that a compiler would want to keep.
 */
export function superviseGroups(): void {
  process.title = 'holdfast-supervisor';
  const groups = new Set<number>();
  let rest = '';
  // Whoever ends the gateway with a signal may reach us too; our work begins only then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => undefined);
  }
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('+')) groups.add(Number(line.slice(1)));
      else groups.delete(Number(line.slice(1)));
    }
  });
  process.stdin.on('error', () => undefined);
  process.stdin.on('close', () => {
    if (process.platform === 'win32') {
      for (const group of groups) {
        process
          .getBuiltinModule('node:child_process')
          .execFile('taskkill', ['/pid', `${group}`, '/T', '/F'], () => undefined);
      }
      return;
    }
    let round = 0;
    setInterval(() => {
      // A second for those that clean up after themselves; another one until the system has removed the rest.
      const signal = round === 0 ? 'SIGTERM' : round === 20 ? 'SIGKILL' : 0;
      for (const group of groups) {
        try {
          process.kill(-group, signal);
        } catch {
          groups.delete(group);
        }
      }
      if (groups.size === 0 || round === 40) process.exit();
      round += 1;
    }, 50);
  });
}
