/** How the plugin runs the hook. */
export interface PluginCommand {
  /** Absolute paths. */
  readonly node: string;
  readonly script: string;
  readonly veto: boolean;
}

/** What the first line of every plugin of ours begins with, of whatever version. */
const MARK = '// Holdfast for opencode, ';

/** Counts up when the text below changes its ways. */
const VERSION = 1;

export const isOurPlugin = (text: string): boolean => text.startsWith(MARK);

/**
 * The plugin that opencode loads: one file that imports nothing but what is built in. It runs `holdfast hook
 * opencode` for what happens, and adds what that says to the results that the model gets to see.
 *
 * A process for each call, not our code within opencode: it can be given a time limit, it cannot take opencode down
 * or hold it up, it runs on the Node that Holdfast is tested on whatever Bun opencode comes with, and the file goes
 * on working when Holdfast is updated. It costs what starting Node costs; a model takes longer to read a result.
 */
export function pluginSource({ node, script, veto }: PluginCommand): string {
  const command = [node, script, 'hook', 'opencode', ...(veto ? ['--veto'] : [])];
  return `${MARK}version ${VERSION}. Written by "holdfast install opencode"; "holdfast uninstall opencode" removes it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const COMMAND = ${JSON.stringify(command)};
const VETO = ${String(veto)};
${BODY}`;
}

const BODY = String.raw`const TIMEOUT_MS = 5000;
const MOST_CHARS = 60000;
const MOST_REMEMBERED = 1000;

// Nothing to run, as on the machine of a colleague who has the project but not Holdfast.
const isMissing = !COMMAND.slice(0, 2).every((path) => existsSync(path));
// By session and call: the message a call is in. By part: the advice for a call that threw.
const messages = new Map();
const failures = new Map();

export const Holdfast = async () => ({
  event: async (input) => {
    const event = input?.event;
    const part = event?.type === 'message.part.updated' ? event.properties?.part : undefined;
    if (part?.type !== 'tool') return;
    remember(messages, part.sessionID + ' ' + part.callID, part.messageID);
    if (part.state?.status === 'error') void adviceFor(part);
  },
  'chat.message': async (input, output) => {
    const parts = output?.parts;
    // What opencode writes in the user's name is not the user.
    if (Array.isArray(parts) && parts.every((part) => part?.synthetic === true)) return;
    await ask({ event: 'chat.message', sessionID: input?.sessionID });
  },
  ...(VETO && {
    'tool.execute.before': async (input, output) => {
      const args = output?.args;
      const { veto } = await ask({ event: 'tool.execute.before', ...callOf(input), args });
      if (veto !== undefined) throw new Error(veto);
    },
  }),
  'tool.execute.after': async (input, output) => {
    if (typeof output !== 'object' || output === null) return;
    const { advice } = await ask({
      event: 'tool.execute.after',
      ...callOf(input),
      args: input?.args,
      output: textOf(output),
      isError: output.isError === true,
      metadata: { exit: output.metadata?.exit },
    });
    if (advice === undefined) return;
    // What MCP servers return comes as they sent it.
    if (Array.isArray(output.content)) output.content.push({ type: 'text', text: advice });
    else if (typeof output.output === 'string') output.output = below(output.output, advice);
  },
  // Calls that threw come by no other way that leads to the model. What is added here is not kept, so that it is
  // added to every request.
  'experimental.chat.messages.transform': async (_input, output) => {
    const all = Array.isArray(output?.messages) ? output.messages : [];
    const lastOfUser = all.findLastIndex((message) => message?.info?.role === 'user');
    for (const [at, message] of all.entries()) {
      for (const part of Array.isArray(message?.parts) ? message.parts : []) {
        if (part?.type !== 'tool' || part.state?.status !== 'error') continue;
        // What failed before the user last spoke, and is not remembered, is past.
        if (at < lastOfUser && !failures.has(part.id)) continue;
        const advice = await adviceFor(part);
        if (advice === undefined) continue;
        part.state = { ...part.state, error: below(String(part.state.error), advice) };
      }
    }
  },
});

function adviceFor({ id, sessionID, messageID, callID, tool, state }) {
  const known = failures.get(id);
  if (known !== undefined) return known;
  const told = ask({
    event: 'tool.failed',
    sessionID,
    messageID,
    callID,
    tool,
    args: state.input,
    error: clip(String(state.error)),
    metadata: { interrupted: state.metadata?.interrupted },
  }).then(({ advice }) => advice);
  remember(failures, id, told);
  return told;
}

function callOf(input) {
  const { sessionID, callID, tool } = input ?? {};
  return { sessionID, messageID: messages.get(sessionID + ' ' + callID), callID, tool };
}

function textOf({ output, content }) {
  if (typeof output === 'string') return clip(output);
  const texts = Array.isArray(content) ? content.map((part) => part?.text) : [];
  return clip(texts.filter((text) => typeof text === 'string').join('\n'));
}

function below(text, advice) {
  return text + (text.endsWith('\n') ? '\n' : '\n\n') + advice;
}

// How a call ended is said at the beginning or at the end.
function clip(text) {
  return text.length <= MOST_CHARS
    ? text
    : text.slice(0, MOST_CHARS / 2) + '\n' + text.slice(-MOST_CHARS / 2);
}

function remember(map, key, value) {
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value);
}

// What the hook says, or nothing: opencode goes on, whatever happens.
async function ask(payload) {
  if (isMissing) return {};
  try {
    const { advice, veto } = JSON.parse(await run(JSON.stringify(payload)));
    return {
      advice: typeof advice === 'string' ? advice : undefined,
      veto: typeof veto === 'string' ? veto : undefined,
    };
  } catch {
    return {};
  }
}

function run(input) {
  return new Promise((resolve, reject) => {
    const [program, ...args] = COMMAND;
    const options = { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true };
    const child = spawn(program, args, options);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('too slow'));
    }, TIMEOUT_MS);
    let said = '';
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', () => {
      clearTimeout(timer);
      resolve(said);
    });
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    child.stdin.on('error', () => undefined).end(input);
  });
}
`;
