import { suggestUpstreamUrl } from '../config/read-upstream-url.ts';

/** How to name the upstream whose address was given without its option; '' if none of the words is one. */
export function upstreamHint(command: 'doctor' | 'proxy', positionals: readonly string[]): string {
  const url = positionals.map(suggestUpstreamUrl).find((found) => found !== undefined);
  return url === undefined ? '' : `; did you mean holdfast ${command} --upstream ${url}?`;
}
