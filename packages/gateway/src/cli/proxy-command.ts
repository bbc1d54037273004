import { maskUrl } from '../redact/redactor.ts';
import type { Command } from './command.ts';
import { proxyHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { PROXY_OPTIONS, readProxyFlags } from './read-proxy-flags.ts';
import { readStoreFlag } from './read-store-flag.ts';
import { greetingFor, RUN_OPTIONS, withRunOptions } from './run-options.ts';
import { upstreamHint } from './upstream-hint.ts';

/** `holdfast proxy`: the model proxy in front of one upstream or a few, without a file. */
export const proxyCommand: Command = {
  name: 'proxy',
  help: proxyHelp,
  options: { ...PROXY_OPTIONS, ...RUN_OPTIONS },

  async run(given, io) {
    const { positionals } = given;
    if (positionals.length > 0) {
      const hint = upstreamHint('proxy', positionals);
      throw new Misuse(`expected options only, got ${positionals.map(maskUrl).join(' ')}${hint}`);
    }
    const { config, notes } = readProxyFlags(given, io.env);
    const { runGateway } = await import('../run-gateway.ts');
    const store = await readStoreFlag(given, io.env);
    return runGateway({ ...withRunOptions(config, given), ...store }, io, {
      notes,
      ...greetingFor(given),
    });
  },
};
