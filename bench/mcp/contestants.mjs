import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort, untilListening } from '../harness/ports.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;
const echo = path('echo.mjs');
const passThrough = path('pass-through.mjs');
const holdfast = path('../../packages/gateway/bin/holdfast.js');
const mcpProxy = path('../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');

/** What a client over stdio starts with Node; the echo server is at the end of each. */
export const overStdio = {
  direct: [echo],
  'SDK pass-through, raw': [passThrough, 'raw', node, echo],
  'SDK pass-through, typed': [passThrough, 'typed', node, echo],
  Holdfast: [holdfast, 'mcp', '--log', 'error', '--', node, echo],
};

/** What a client over HTTP finds, each with the echo server behind it over stdio, but for the first, which is one. */
export const overHttp = {
  async direct() {
    const child = fork(echo, ['http'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [{ port }] = await once(child, 'message');
    return served(child, port);
  },
  async 'mcp-proxy'() {
    const port = await freePort();
    const listen = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream'];
    return untilServed(mcpProxy, [...listen, '--', node, echo], port);
  },
  async Holdfast() {
    const port = await freePort();
    const listen = ['--listen', `127.0.0.1:${port}`, '--log', 'error'];
    return untilServed(holdfast, ['mcp', ...listen, '--', node, echo], port);
  },
};

async function untilServed(script, args, port) {
  const child = fork(script, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ${args.join(' ')} ended with code ${code}`);
  });
  await Promise.race([untilListening(port), ended]);
  // That it ends when it is stopped is no failure.
  ended.catch(() => undefined);
  return served(child, port);
}

function served(child, port) {
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), stop: () => child.kill('SIGKILL') };
}
