/** Names are kept as long as their circuits are, and models make them up. */
const MAX_NAME_LENGTH = 200;

const SERVER = 'server:';
const PROVIDER = 'provider:';
const TOOL = 'tool:';

/** Which settings a circuit has unless it is configured by name. */
export type CircuitLevel = 'tool' | 'server' | 'provider';

/** The name as it is kept: no longer than 200 characters. */
export function circuitName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

/** `search`, or `github/search` where the server is known. No tool can take the name of a server or of another's tool. */
export function toolCircuitName(tool: string, server: string | undefined): string {
  if (server !== undefined) return circuitName(`${escaped(server)}/${tool}`);
  return circuitName(isAmbiguous(tool) ? `${TOOL}${tool}` : tool);
}

export function serverCircuitName(server: string): string {
  return circuitName(SERVER + escaped(server));
}

export function providerCircuitName(provider: string): string {
  return circuitName(PROVIDER + escaped(provider));
}

export function circuitLevel(name: string): CircuitLevel {
  if (name.startsWith(SERVER)) return 'server';
  return name.startsWith(PROVIDER) ? 'provider' : 'tool';
}

/** Whether isolating a circuit of this name isolates every circuit whose name it matches. */
export function isCircuitPattern(name: string): boolean {
  return name.includes('*');
}

/** Whether a name matches a pattern, in which `*` stands for any characters. */
export function matchesCircuitPattern(pattern: string, name: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return pattern === name;
  if (!name.startsWith(start) || name.length < start.length + end.length) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.endsWith(end) && name.length - end.length >= at;
}

function isAmbiguous(tool: string): boolean {
  return (
    tool === '' ||
    tool.includes('/') ||
    tool.startsWith(SERVER) ||
    tool.startsWith(PROVIDER) ||
    tool.startsWith(TOOL)
  );
}

/** Without the characters that separate the parts of a name. Most have none, and looking is cheaper than replacing. */
function escaped(part: string): string {
  return SEPARATOR.test(part) ? part.replaceAll(SEPARATORS, encodeURIComponent) : part;
}

const SEPARATOR = /[%/:]/;
const SEPARATORS = /[%/:]/g;
