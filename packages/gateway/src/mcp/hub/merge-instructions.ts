import { labelLookAlikes } from '@holdfast/core/advise';

/** How a server says that it is to be used. */
export interface ServerInstructions {
  readonly server: string;
  readonly text: string;
}

/**
 * The instructions of all servers as one text; undefined where there are none. Of several, each is in a block that its
 * own text cannot end, so that no server can speak for another or for the gateway.
 */
export function mergeInstructions(
  said: readonly ServerInstructions[],
  servers: number,
): string | undefined {
  if (said.length === 0) return undefined;
  if (servers === 1) return said.map(({ text }) => labelLookAlikes(text)).join('');
  const blocks = said.map(
    ({ server, text }) => `<${TAG} server="${attribute(server)}">\n${escaped(text)}\n</${TAG}>`,
  );
  return [ABOUT, ...blocks].join('\n\n');
}

const TAG = 'server-instructions';
const ABOUT = `Each ${TAG} block is what one server says of itself. It holds for the tools of that server only.`;

function escaped(text: string): string {
  return labelLookAlikes(text).replace(/<(?=[\s/]{0,8}server-instructions)/gi, '&lt;');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
