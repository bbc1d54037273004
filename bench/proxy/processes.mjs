import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort, untilListening } from '../harness/ports.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

async function startScript(script, args, options) {
  const child = fork(path(script), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...options,
  });
  const [{ port }] = await once(child, 'message');
  return { child, port };
}

async function startHoldfast(base, ...flags) {
  const port = await freePort();
  const child = fork(path('holdfast.mjs'), [base, String(port), ...flags], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  });
  await untilListening(port);
  return { child, port };
}

/** Upstream, bare relay, Holdfast and Portkey, each in a process of its own. */
export async function startAll() {
  const upstream = await startScript('upstream.mjs', []);
  const base = `http://127.0.0.1:${upstream.port}`;
  const relay = await startScript('relay.mjs', [base]);
  const { child: holdfast, port: holdfastPort } = await startHoldfast(base);
  const unadvised = await startHoldfast(base, '--no-advice');
  const prompting = await startHoldfast(base, '--tool-mode', 'prompt');
  const unheld = await startHoldfast(base, '--starts-in-reasoning', 'false');
  const portkeyPort = await freePort();
  const portkey = fork(
    path('../node_modules/@portkey-ai/gateway/build/start-server.js'),
    [`--port=${portkeyPort}`, '--headless'],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  );
  await untilListening(portkeyPort);
  return {
    targets: {
      'bare node:http relay': { port: relay.port, headers: {} },
      Holdfast: { port: holdfastPort, headers: {} },
      Portkey: {
        port: portkeyPort,
        headers: {
          'x-portkey-provider': 'openai',
          'x-portkey-custom-host': `${base}/v1`,
          authorization: 'Bearer none',
        },
      },
      'no proxy': { port: upstream.port, headers: {} },
    },
    variants: {
      'without advice': { port: unadvised.port, headers: {} },
      'calls never held': { port: unheld.port, headers: {} },
      'tools in the prompt': { port: prompting.port, headers: {} },
    },
    async memory() {
      holdfast.send('memory');
      const [usage] = await once(holdfast, 'message');
      return usage;
    },
    stop() {
      const helpers = [upstream, relay, unadvised, prompting, unheld].map(({ child }) => child);
      for (const child of [...helpers, holdfast, portkey]) child.kill('SIGKILL');
    },
  };
}
