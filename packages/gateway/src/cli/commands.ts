import type { Command } from './command.ts';

/** A command that is loaded when it is asked for: loading all of them takes longer than most take to run. */
export interface ListedCommand {
  readonly name: string;
  readonly load: () => Promise<Command>;
}

/** In the order of the help. `hook` is none of them: agents read its exit codes in their own way. */
export const COMMANDS: readonly ListedCommand[] = [
  { name: 'start', load: async () => (await import('./start-command.ts')).startCommand },
  { name: 'doctor', load: async () => (await import('./doctor-command.ts')).doctorCommand },
  { name: 'install', load: async () => (await import('./install-command.ts')).installCommand },
  {
    name: 'uninstall',
    load: async () => (await import('./uninstall-command.ts')).uninstallCommand,
  },
  { name: 'proxy', load: async () => (await import('./proxy-command.ts')).proxyCommand },
  { name: 'mcp', load: async () => (await import('./mcp-command.ts')).mcpCommand },
  { name: 'tools', load: async () => (await import('./tools-command.ts')).toolsCommand },
  { name: 'call', load: async () => (await import('./call-command.ts')).callCommand },
  { name: 'status', load: async () => (await import('./status-command.ts')).statusCommand },
  { name: 'circuits', load: async () => (await import('./circuits-command.ts')).circuitsCommand },
  { name: 'reset', load: async () => (await import('./reset-command.ts')).resetCommand },
  { name: 'isolate', load: async () => (await import('./isolate-command.ts')).isolateCommand },
  { name: 'logs', load: async () => (await import('./logs-command.ts')).logsCommand },
  { name: 'tail', load: async () => (await import('./tail-command.ts')).tailCommand },
  { name: 'up', load: async () => (await import('./up-command.ts')).upCommand },
  { name: 'init', load: async () => (await import('./init-command.ts')).initCommand },
  { name: 'schema', load: async () => (await import('./schema-command.ts')).schemaCommand },
  { name: 'parse', load: async () => (await import('./parse-command.ts')).parseCommand },
  { name: 'formats', load: async () => (await import('./formats-command.ts')).formatsCommand },
  { name: 'classify', load: async () => (await import('./classify-command.ts')).classifyCommand },
  {
    name: 'completion',
    load: async () => (await import('./completion-command.ts')).completionCommand,
  },
  { name: 'play', load: async () => (await import('./play-command.ts')).playCommand },
  { name: 'demo', load: async () => (await import('./demo-command.ts')).demoCommand },
];
