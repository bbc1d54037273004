import { callCommand } from './call-command.ts';
import { classifyCommand } from './classify-command.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { EXIT } from './exit-codes.ts';
import { formatsCommand } from './formats-command.ts';
import { mainHelp } from './help.ts';
import { initCommand } from './init-command.ts';
import type { Io } from './io.ts';
import { mcpCommand } from './mcp-command.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';
import { parseCommand } from './parse-command.ts';
import { proxyCommand } from './proxy-command.ts';
import { readArguments } from './read-arguments.ts';
import { safeText } from './safe-text.ts';
import { schemaCommand } from './schema-command.ts';
import { startCommand } from './start-command.ts';
import { toolsCommand } from './tools-command.ts';
import { upCommand } from './up-command.ts';
import { readVersion } from './version.ts';

const COMMANDS: readonly Command[] = [
  startCommand,
  doctorCommand,
  proxyCommand,
  mcpCommand,
  toolsCommand,
  callCommand,
  upCommand,
  initCommand,
  schemaCommand,
  parseCommand,
  formatsCommand,
  classifyCommand,
  demoCommand,
];

/** Runs the command line. Returns the exit code; never throws. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined) {
      io.stderr.write(mainHelp);
      return EXIT.misuse;
    }
    return name.startsWith('-') ? runBare(args, io) : await runCommand(name, rest, io);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isMisuse = error instanceof Misuse;
    io.stderr.write(`holdfast: ${isMisuse ? '' : 'unexpected failure: '}${safeText(message)}\n`);
    return isMisuse ? EXIT.misuse : EXIT.failed;
  }
}

function runBare(args: readonly string[], io: Io): number {
  const { flags } = readArguments(args, { help: 'flag', version: 'flag' });
  if (flags.size === 0) throw new Misuse('expected a command; holdfast --help lists them');
  io.stdout.write(flags.has('help') ? mainHelp : `holdfast ${readVersion()}\n`);
  return EXIT.ok;
}

async function runCommand(name: string, args: readonly string[], io: Io): Promise<number> {
  const names = COMMANDS.map((command) => command.name);
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) {
    const suggestion = didYouMean(name, names);
    throw new Misuse(`unknown command "${name}"; expected one of ${names.join(', ')}${suggestion}`);
  }
  const given = readArguments(args, { ...command.options, help: 'flag' });
  if (given.flags.has('help')) {
    io.stdout.write(command.help);
    return EXIT.ok;
  }
  return command.run(given, io);
}
