import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, root, runQuietly } from './run-command.mjs';

// The packages that hold the programs themselves, so that no install script has to run.
const { platform, arch } = process;
const exe = platform === 'win32' ? '.exe' : '';
const openCodePackage = `opencode-${platform === 'win32' ? 'windows' : platform}-${arch}`;
const claudeCodePackage = `@anthropic-ai/claude-code-${platform}-${arch}`;
// One package has a version for each platform.
const codexPlatform = `${platform}-${arch}`;
const codexFolder = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
}[codexPlatform];

const agents = [
  {
    name: 'Claude Code',
    package: claudeCodePackage,
    version: '2.1.325',
    program: `claude${exe}`,
  },
  {
    name: 'OpenCode',
    package: openCodePackage,
    version: '1.18.33',
    program: join('bin', `opencode${exe}`),
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    version: '0.166.0',
    release: `0.166.0-${codexPlatform}`,
    program: join('vendor', codexFolder ?? codexPlatform, 'bin', `codex${exe}`),
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    // Run by Node.
    program: join('bundle', 'gemini.js'),
  },
];

const prefix = join(root, '.cache', 'agents');

/** Fetches the agents, of several hundred megabytes each, unless that was done before. */
export async function installAgents() {
  const isThere = agents.every((agent) => installedVersion(agent.package) === releaseOf(agent));
  const wanted = agents.map((agent) => `${agent.package}@${releaseOf(agent)}`);
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = isThere ? { ok: true } : await runQuietly(...npmCommand([...args, ...wanted]));
  return {
    ...result,
    agents: agents.map(({ name, version, package: folder, program }) => ({
      name,
      version,
      program: join(prefix, 'node_modules', folder, program),
    })),
  };
}

const releaseOf = ({ version, release = version }) => release;

function installedVersion(name) {
  const manifest = join(prefix, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, agents: installed } = await installAgents();
  console.log(JSON.stringify(ok ? { ok, agents: installed } : { ok, reason: output }));
}
