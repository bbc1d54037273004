import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { Arguments, OptionKinds } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';

/** The options of commands that ask a gateway that runs. */
export const GATEWAY_OPTIONS: OptionKinds = { url: 'value', token: 'value', json: 'flag' };

/** A gateway that is asked, and what it is shown. */
export interface GatewayAddress {
  /** Without a path. */
  readonly origin: string;
  readonly token: string | undefined;
}

const { host, port } = CONFIG_DEFAULTS.listen;
/** Where a gateway listens that was not told otherwise. */
const USUAL_URL = `http://${host}:${port}`;

/** Where the gateway is: `--url`, else HOLDFAST_URL, else where one usually listens. */
export function readGatewayAddress({ values }: Arguments, io: Io): GatewayAddress {
  const variable = io.env['HOLDFAST_URL'] ?? '';
  const [name, written] = values.has('url')
    ? ['--url', values.get('url') ?? '']
    : ['HOLDFAST_URL', variable === '' ? USUAL_URL : variable];
  const token = values.get('token') ?? io.env['HOLDFAST_TOKEN'] ?? '';
  if (token !== '' && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Misuse('--token: expected plain characters without spaces or line breaks');
  }
  return { origin: originOf(name, written), token: token === '' ? undefined : token };
}

function originOf(name: string, written: string): string {
  try {
    const { protocol, origin } = new URL(written);
    if (/^https?:$/.test(protocol)) return origin;
  } catch {
    // Said below.
  }
  throw new Misuse(
    `${name}: expected the address of a gateway, such as ${USUAL_URL}, got "${written}"`,
  );
}
