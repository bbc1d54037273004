import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { mainHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';
import { readArguments } from './read-arguments.ts';
import { safeText } from './safe-text.ts';
import { readVersion } from './version.ts';

/** Runs the command line. Returns the exit code; never throws. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined) {
      io.stderr.write(mainHelp);
      return EXIT.misuse;
    }
    if (name === 'hook') {
      const { hookCommand } = await import('./hook-command.ts');
      return await hookCommand(rest, io);
    }
    return name.startsWith('-') ? runBare(args, io) : await runCommand(name, rest, io);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isMisuse = error instanceof Misuse;
    // Not before: it takes time to load, and the hook of an agent has none.
    const { maskSecrets } = await import('@holdfast/core/advise');
    const shown = safeText(maskSecrets(message));
    io.stderr.write(`holdfast: ${isMisuse ? '' : 'unexpected failure: '}${shown}\n`);
    return isMisuse ? error.exitCode : EXIT.failed;
  }
}

function runBare(args: readonly string[], io: Io): number {
  const { flags } = readArguments(args, { help: 'flag', version: 'flag', json: 'flag' });
  if (flags.has('help')) {
    io.stdout.write(mainHelp);
    return EXIT.ok;
  }
  if (!flags.has('version')) {
    throw new Misuse('expected a command; holdfast --help lists them');
  }
  const version = readVersion();
  io.stdout.write(flags.has('json') ? `${JSON.stringify({ version })}\n` : `holdfast ${version}\n`);
  return EXIT.ok;
}

async function runCommand(name: string, args: readonly string[], io: Io): Promise<number> {
  const names = [...COMMANDS.map((command) => command.name), 'hook'];
  const listed = COMMANDS.find((each) => each.name === name);
  if (listed === undefined) {
    const suggestion = didYouMean(name, names);
    throw new Misuse(`unknown command "${name}"; expected one of ${names.join(', ')}${suggestion}`);
  }
  const command = await listed.load();
  const given = readArguments(args, { ...command.options, help: 'flag' });
  if (given.flags.has('help')) {
    io.stdout.write(command.help);
    return EXIT.ok;
  }
  return command.run(given, io);
}
