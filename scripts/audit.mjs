import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npmCommand, root } from './run-command.mjs';
import { auditExitCode, readAudit } from './supply-chain/read-audit.mjs';
import { shippedPackages } from './supply-chain/shipped-packages.mjs';

// npm run audit: asks the registry for known vulnerabilities, of what a user installs and of the whole workspace. Many
// mirrors have no endpoint for it, and a machine may be offline: that is said, and fails with `-- --strict` only.

const TIMEOUT_MS = 30_000;
const SCOPES = [
  { label: 'what is installed with our packages', args: ['--omit=dev'] },
  { label: 'the whole workspace, with its tools and the dashboard', args: ['--include=dev'] },
];

const isStrict = readArguments().strict === true;
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const shippedPlaces = new Set(shippedPackages(lockfile).map(({ place }) => place));
const audits = await Promise.all(SCOPES.map(({ args }) => audit(args)));
for (const [index, { outcome, reason, findings }] of audits.entries()) {
  const said = {
    clean: 'clean',
    found: `${findings.length} vulnerable`,
    unanswered: `not checked: the registry's audit endpoint does not answer (${reason})`,
    failed: `not checked: ${reason}`,
  };
  console.log(`${SCOPES[index].label}: ${said[outcome]}`);
  for (const finding of findings) console.log(`  ${finding}`);
}
process.exitCode = auditExitCode(audits, { isStrict });

function audit(args) {
  const fixed = ['audit', '--json', '--loglevel=silent', '--fetch-retries=0'];
  // Offline, npm asks nobody and says that all is well.
  const [program, all] = npmCommand([...fixed, '--offline=false', ...args]);
  return new Promise((resolve) => {
    const child = spawn(program, all, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.on('error', () =>
      resolve({ outcome: 'failed', reason: 'npm does not start', findings: [] }),
    );
    child.on('close', () => resolve(readAudit(text, shippedPlaces)));
  });
}

function readArguments() {
  try {
    return parseArgs({ options: { strict: { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`${error.message}\nusage: npm run audit -- [--strict]`);
    return process.exit(2);
  }
}
