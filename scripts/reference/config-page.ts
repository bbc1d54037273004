import { filledConfigSchema } from '../../packages/gateway/src/config/json-schema.ts';
import { listConfigSections } from './config-sections.ts';
import type { ConfigKey, ConfigSection } from './config-sections.ts';
import { markdownCell } from './markdown-cell.ts';

/** The pages that explain a section. */
const EXPLAINED: Readonly<Record<string, string>> = {
  upstreams: '[Several upstreams](../upstreams.md)',
  'upstreams[].circuit': '[Circuits of upstreams](../upstreams.md#circuits)',
  mcp: '[The MCP gateway](../mcp.md)',
  'mcp.servers.<name>': '[MCP servers](../mcp-configuration.md)',
  'mcp.servers.<name>.circuit': '[The MCP gateway](../mcp.md)',
  proxy: '[The proxy](../proxy.md)',
  'proxy.normalise': '[What is changed in requests](../proxy.md#what-is-changed-in-requests)',
  'proxy.retry': '[Retries](../upstreams.md#retries)',
  store: '[Fleet](../fleet.md)',
  observe: '[History](../history.md) and [captured requests](../admin-api.md#captured-requests)',
};

/** Every key of `holdfast.yaml`, from the schema that the file is checked with. */
export function configPage(): string {
  const sections = listConfigSections(filledConfigSchema());
  return `# Reference: holdfast.yaml

Every key with its type and default, from the schema that the file is checked with; \`holdfast schema\` prints it for editors. [Configuration](../configuration.md) explains how the file is found, read and followed. A dash means that there is no default.

${sections.map(sectionText).join('\n\n')}
`;
}

function sectionText({ path, description, keys }: ConfigSection): string {
  const explained = EXPLAINED[path.replace(/\[\]$/, '')];
  const about = [description, ...(explained === undefined ? [] : [`See ${explained}.`])].join(' ');
  return [
    `## ${path === '' ? 'The file' : `\`${path}\``}`,
    ...(about === '' ? [] : [about]),
    ['| key | type | default | what it says |', '| --- | --- | --- | --- |', ...keys.map(row)].join(
      '\n',
    ),
  ].join('\n\n');
}

function row({ path, type, isNeeded, defaultValue, description, below }: ConfigKey): string {
  const value = defaultValue === undefined ? '–' : `\`${JSON.stringify(defaultValue)}\``;
  const kind = below === undefined ? type : `[${type}](#${anchor(below)})`;
  return `| \`${path}\` | ${kind} | ${isNeeded ? 'needed' : value} | ${markdownCell(description)} |`;
}

/** What GitHub makes of the heading of a section. */
function anchor(path: string): string {
  return path.toLowerCase().replace(/[^\w-]/g, '');
}
