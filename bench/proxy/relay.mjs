import { createServer } from 'node:http';
import { Agent, request as ask } from 'undici';

/** The least a proxy can do: bytes in, bytes out, and nothing looked at. */
const [upstream] = process.argv.slice(2);
const dispatcher = new Agent({ connections: 256 });

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { statusCode, headers, body } = await ask(upstream + request.url, {
    method: request.method,
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
    dispatcher,
  });
  response.writeHead(statusCode, { 'content-type': headers['content-type'] });
  for await (const chunk of body) response.write(chunk);
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
