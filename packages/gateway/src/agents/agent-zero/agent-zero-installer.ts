import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AgentInstaller,
  FileEdit,
  HostCheck,
  InstallContext,
  InstallPlan,
} from '../install/agent-installer.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import { ok, problem, warning } from '../install/host-check.ts';
import { readText } from '../install/target-file.ts';
import type { AgentZeroLayout, PlacedFile } from './agent-zero-layout.ts';
import { findLayout, layoutsIn } from './agent-zero-layout.ts';
import { isOurs, readCommand, writeSource } from './agent-zero-sources.ts';

/** Puts our extensions where agent-zero looks for some, and touches no file of anybody else. */
export const agentZeroInstaller: AgentInstaller = {
  name: 'agent-zero',
  title: 'Agent Zero',
  ownsFiles: true,

  async install(context: InstallContext): Promise<InstallPlan> {
    const layout = await findLayout(context.root);
    const edits = await Promise.all(
      layout.files.map(async (file): Promise<FileEdit> => {
        const [before, after] = await Promise.all([
          readText(file.path),
          writeSource(file, layout.name, context),
        ]);
        if (before !== undefined && !isOurs(before)) {
          throw new CannotInstallError(
            `${file.path} is there and is not ours; move it away or remove it, then install again`,
          );
        }
        return { path: file.path, before, after };
      }),
    );
    const changed = edits.filter(({ before, after }) => before !== after);
    const restart = changed.length === 0 ? [] : ['Restart agent-zero, so that it loads them.'];
    return { edits: changed, notes: [...restart, ...(await missingPoints(context.root, layout))] };
  },

  async uninstall(context: InstallContext): Promise<InstallPlan> {
    const layouts = layoutsIn(context.root);
    const found = await Promise.all(
      layouts
        .flatMap(({ files }) => files)
        .map(async ({ path }) => ({ path, before: await readIfFile(path) })),
    );
    const edits = found.flatMap(({ path, before }): readonly FileEdit[] =>
      before !== undefined && isOurs(before) ? [{ path, before, after: undefined }] : [],
    );
    if (edits.length === 0) {
      // Nothing to remove is good news only where we looked at the right place.
      await findLayout(context.root);
      return { edits, notes: [] };
    }
    const folders = layouts.flatMap((layout) => layout.folders);
    return { edits, notes: ['Restart agent-zero, so that it forgets them.'], folders };
  },

  async check(context: InstallContext): Promise<readonly HostCheck[]> {
    let layout: AgentZeroLayout;
    try {
      layout = await findLayout(context.root);
    } catch (error) {
      if (!(error instanceof CannotInstallError)) throw error;
      return [problem(error.message)];
    }
    const warnings = await missingPoints(context.root, layout);
    return [
      ok(`agent-zero in ${context.root}, ${layout.name} layout`),
      ...warnings.map(warning),
      ...(await Promise.all(layout.files.map((file) => checkFile(file, layout, context)))),
    ];
  },
};

async function checkFile(
  file: PlacedFile,
  layout: AgentZeroLayout,
  context: InstallContext,
): Promise<HostCheck> {
  const { path } = file;
  const again = '`holdfast install agent-zero` puts it there';
  const text = await readIfFile(path);
  if (text === undefined) return problem(`${path} is missing; ${again}`);
  if (!isOurs(text)) return problem(`${path} is not ours`);

  const [node = '', script = '', ...rest] = readCommand(text) ?? [];
  for (const part of [node, script]) {
    if (part !== '' && !(await exists(part))) {
      return problem(`${path} runs ${part}, which is gone; ${again} anew`);
    }
  }
  const veto = rest.includes('--veto');
  const isCurrent =
    text === (await writeSource(file, layout.name, node === '' ? context : { node, script, veto }));
  return isCurrent
    ? ok(path)
    : warning(`${path} is of another version, or was changed; ${again} anew`);
}

/** Agent-zero as it was until August 2025 asks no extension about tools: what we install is never run. */
async function missingPoints(root: string, layout: AgentZeroLayout): Promise<readonly string[]> {
  if (layout.name === 'current') return [];
  const agent = join(root, 'agent.py');
  const text = (await readIfFile(agent)) ?? '';
  const points = ['tool_execute_before', 'tool_execute_after'];
  return points.every((point) => text.includes(point))
    ? []
    : [
        `${agent} does not call tool_execute_before and tool_execute_after: this agent-zero is too old to run ` +
          'the extensions. Update it.',
      ];
}

/** Undefined too where there is something that cannot be ours. */
function readIfFile(path: string): Promise<string | undefined> {
  return readText(path).catch(() => undefined);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
