import type { GatewayConfig } from '../config/gateway-config.ts';
import type { GatewayHooks } from '../run-gateway.ts';
import type { Arguments, OptionKinds } from './command.ts';

/** The options of all commands that run a gateway. */
export const RUN_OPTIONS: OptionKinds = { 'no-history': 'flag', json: 'flag' };

/** What `--no-history` changes in a configuration. */
export function withRunOptions<Config extends Pick<GatewayConfig, 'observe'>>(
  config: Config,
  { flags }: Arguments,
): Config {
  if (!flags.has('no-history')) return config;
  return { ...config, observe: { ...config.observe, history: false } };
}

/** What `--json` prints in place of a greeting: where the gateway listens, on one line. */
export function greetingFor({ flags }: Arguments): Pick<GatewayHooks, 'greeting'> {
  return flags.has('json') ? { greeting: (url) => `${JSON.stringify({ url })}\n` } : {};
}
