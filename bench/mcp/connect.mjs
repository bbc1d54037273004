import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const tellMemory = fileURLToPath(new URL('tell-memory.mjs', import.meta.url));

/** The two eras of the protocol, as the SDK's client asks for them. */
export const eras = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } };

async function connect(transport, era) {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: eras[era] } },
  );
  await client.connect(transport);
  return client;
}

/** A client of the SDK and, at the other end of its pipe, `node <args>`, which can be asked for its memory. */
export async function connectStdio(args, era) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--expose-gc', '--import', tellMemory, ...args],
    stderr: 'pipe',
  });
  const lines = createInterface({ input: transport.stderr });
  let lastLine = '';
  lines.on('line', (line) => (lastLine = line || lastLine));
  const client = await connect(transport, era).catch((cause) => {
    throw new Error(`${args.join(' ')} cannot be spoken to: ${lastLine || cause.message}`, {
      cause,
    });
  });
  return {
    client,
    async memory() {
      const telling = lineWith(lines, '"memoryOf"');
      process.kill(transport.pid, 'SIGUSR2');
      return JSON.parse(await telling);
    },
    close: () => client.close(),
  };
}

/** Listens to every line, as several can come at once. */
function lineWith(lines, mark) {
  return new Promise((found) => {
    lines.on('line', function look(line) {
      if (!line.includes(mark)) return;
      lines.off('line', look);
      found(line);
    });
  });
}

export async function connectHttp(url, era) {
  const client = await connect(new StreamableHTTPClientTransport(url), era);
  return { client, close: () => client.close() };
}
