import type { UpstreamProtocol } from '../config/gateway-config.ts';
import type { Verdict } from './doctor-report.ts';

const FOUND = 'a model server answers at ';

/** What to run next, ready to paste. Keys are not in it. */
export function nextCommands(about: {
  readonly verdict: Verdict;
  readonly url: string;
  readonly model: string | undefined;
  readonly hasKey: boolean;
  readonly hints: readonly string[];
  readonly protocols: readonly UpstreamProtocol[];
}): readonly string[] {
  const { verdict, url, model, hasKey, hints, protocols } = about;
  const isRefused = verdict === 'refused' && protocols.includes('chat');
  if (protocols.length === 0 || isRefused) {
    const found = hints.find((hint) => hint.startsWith(FOUND))?.slice(FOUND.length);
    return [`holdfast doctor --upstream ${found ?? url}`];
  }
  const named = model === undefined ? '' : ` --model ${quote(model)}`;
  const spoken = protocolOption(protocols);
  const prompted = verdict === 'prompted' ? ' --tool-mode prompt' : '';
  const key = hasKey ? 'HOLDFAST_API_KEY=… ' : '';
  return [
    `${key}holdfast proxy --upstream ${url}${named}${spoken}${prompted}`,
    'ANTHROPIC_BASE_URL=http://127.0.0.1:8787 ANTHROPIC_AUTH_TOKEN=any claude',
    'OPENAI_BASE_URL=http://127.0.0.1:8787/v1 OPENAI_API_KEY=any node agent.mjs',
  ];
}

/** Chat Completions is what the proxy asks in without the option. */
function protocolOption(protocols: readonly UpstreamProtocol[]): string {
  const has = (protocol: UpstreamProtocol): boolean => protocols.includes(protocol);
  if (!has('chat')) return ` --protocol ${has('messages') ? 'messages' : 'responses'}`;
  if (!has('messages')) return '';
  return has('responses') ? ' --protocol all' : ' --protocol both';
}

function quote(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
