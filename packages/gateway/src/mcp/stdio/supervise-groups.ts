/**
 * The program of the supervisor: learns the groups of processes from lines `+<id> <mark>` and `-<id>` on its standard
 * input, and ends those that are left when that closes, which it does however the gateway ends. On Linux it also ends
 * processes that left the groups, by the mark in their environment.
 *
 * It is run from its own text (`group-supervisor.ts`), so that it needs no file of its own, in source or built.
 * Therefore it uses globals only, and nothing within it has a name that a compiler would want to keep.
 */
export function superviseGroups(): void {
  process.title = 'holdfast-supervisor';
  const groups = new Map<number, string>();
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
      const [id, mark = ''] = line.slice(1).split(' ');
      if (line.startsWith('+')) groups.set(Number(id), mark);
      else groups.delete(Number(id));
    }
  });
  process.stdin.on('error', () => undefined);
  process.stdin.on('close', () => {
    if (process.platform === 'win32') {
      for (const group of groups.keys()) {
        process
          .getBuiltinModule('node:child_process')
          .execFile('taskkill', ['/pid', `${group}`, '/T', '/F'], () => undefined);
      }
      return;
    }
    const entries = [...groups.values()]
      .filter((mark) => mark !== '')
      .map((mark) => `HOLDFAST_SERVER_ID=${mark}`);
    const fs = process.getBuiltinModule('node:fs');
    let strays: number[] = [];
    let round = 0;
    setInterval(() => {
      // A second for those that clean up after themselves; another one until the system has removed the rest.
      const signal = round === 0 ? 'SIGTERM' : round === 20 ? 'SIGKILL' : 0;
      if (process.platform === 'linux' && entries.length > 0 && round % 10 === 0) {
        strays = fs
          .readdirSync('/proc')
          .map(Number)
          .filter((pid) => {
            try {
              const environment = fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
              if (!environment.some((entry) => entries.includes(entry))) return false;
              // One that is still in its group is signalled with that, and not twice.
              const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
              return !groups.has(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]));
            } catch {
              return false;
            }
          });
      }
      for (const pid of strays) {
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended meanwhile.
        }
      }
      for (const group of groups.keys()) {
        try {
          process.kill(-group, signal);
        } catch {
          groups.delete(group);
        }
      }
      if ((groups.size === 0 && strays.length === 0) || round === 40) process.exit();
      round += 1;
    }, 50);
  });
}
