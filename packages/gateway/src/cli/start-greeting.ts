export interface StartGreeting {
  readonly url: string;
  /** Of the demo model itself. */
  readonly upstreamUrl: string;
  readonly hasTraffic: boolean;
  /** How this program is run in a terminal: `holdfast`, or `npx holdfast`. */
  readonly program: string;
}

/** What `holdfast start` prints: the addresses, and commands that can be pasted as they are. */
export function startGreeting({ url, upstreamUrl, hasTraffic, program }: StartGreeting): string {
  return `Holdfast listens on ${url}
  dashboard          ${url}/${hasTraffic ? '  (made-up agents are at work)' : ''}
  OpenAI clients     ${url}/v1  (Chat Completions, and Responses as Codex speaks it)
  Anthropic clients  ${url}
  MCP clients        ${url}/mcp
  the model itself   ${upstreamUrl}  (to compare: here the call stays text)

It runs in front of a demo model, which writes its tool calls as raw text, and four demo tools.
The commands below work as they are, in another terminal.

1. curl, with a tool:

${curlCommand(url)}

2. Claude Code:

${claudeCommand(url)}

3. OpenAI's SDK, in a folder where it is installed (npm install openai):

${sdkProgram(url)}

4. Watch it, beside the dashboard:

${program} status --url ${url}
${program} tail --url ${url}
${program} logs --follow --url ${url}

5. The models: demo, which writes another dialect every time, or one dialect by its name:

curl -sS ${url}/v1/models

6. A model of yours, at the address of its server:

${program} proxy --upstream http://127.0.0.1:1234/v1 --port 0

Ctrl-C stops.
`;
}

const QUESTION = 'What is the weather in Oslo?';
const TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

function curlCommand(url: string): string {
  const messages = [{ role: 'user', content: QUESTION }];
  const body = JSON.stringify({ model: 'demo', messages, tools: [TOOL] });
  return `curl -sS ${url}/v1/chat/completions -H 'content-type: application/json' -d '${body}'`;
}

/** The demo model answers to any request for a shell with an \`echo\`. */
function claudeCommand(url: string): string {
  return (
    `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=demo ANTHROPIC_MODEL=demo ` +
    `claude -p 'Use Bash to say hello' --allowedTools Bash`
  );
}

function sdkProgram(url: string): string {
  const tool = JSON.stringify(TOOL);
  return `node --input-type=module -e '
import OpenAI from "openai";
const client = new OpenAI({ baseURL: "${url}/v1", apiKey: "demo" });
const messages = [{ role: "user", content: "${QUESTION}" }];
const tools = [${tool}];
const { choices } = await client.chat.completions.create({ model: "demo", messages, tools });
console.log(choices[0].message.tool_calls);
'`;
}
