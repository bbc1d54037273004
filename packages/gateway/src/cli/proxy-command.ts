import type { Command } from './command.ts';
import { proxyHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { PROXY_OPTIONS, readProxyFlags } from './read-proxy-flags.ts';

/** `holdfast proxy`: the model proxy in front of one upstream or a few, without a file. */
export const proxyCommand: Command = {
  name: 'proxy',
  help: proxyHelp,
  options: PROXY_OPTIONS,

  async run(given, io) {
    const { positionals } = given;
    if (positionals.length > 0) {
      throw new Misuse(`expected options only, got ${positionals.join(' ')}`);
    }
    const { config, notes } = readProxyFlags(given, io.env);
    const { runGateway } = await import('../run-gateway.ts');
    return runGateway(config, io, { notes });
  },
};
