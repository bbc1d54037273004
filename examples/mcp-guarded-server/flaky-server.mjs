// An MCP server with one tool. The bank behind it is down until `bank` says that it is up again.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

let isUp = false;
let asked = 0;
const server = new McpServer({ name: 'payments', version: '1.0.0' });
const answer = (text, isError = false) => ({ content: [{ type: 'text', text }], isError });

server.registerTool('payment_api', { description: 'Pays a bill' }, () => {
  asked++;
  return isUp ? answer('paid') : answer('503 Service Unavailable', true);
});
server.registerTool('bank', { description: 'Lets the bank come back' }, () => {
  isUp = true;
  return answer(String(asked));
});
await server.connect(new StdioServerTransport());
