import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AgentInstaller,
  FileEdit,
  HostCheck,
  InstallContext,
  InstallPlan,
} from '../install/agent-installer.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { AgentZeroLayout, PlacedFile } from './agent-zero-layout.ts';
import { findLayout, layoutsIn } from './agent-zero-layout.ts';
import { isOurs, readCommand, writeSource } from './agent-zero-sources.ts';

/** Puts our extensions where agent-zero looks for some, and touches no file of anybody else. */
export const agentZeroInstaller: AgentInstaller = {
  name: 'agent-zero',
  title: 'Agent Zero',

  async install(context: InstallContext): Promise<InstallPlan> {
    const layout = await findLayout(context.root);
    const edits = await Promise.all(
      layout.files.map(async (file): Promise<FileEdit> => {
        const [before, after] = await Promise.all([
          readPlace(file),
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
        .map(async ({ path }) => ({ path, before: await readText(path) })),
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
      return [{ status: 'problem', text: error.message }];
    }
    const warnings = await missingPoints(context.root, layout);
    return [
      { status: 'ok', text: `agent-zero in ${context.root}, ${layout.name} layout` },
      ...warnings.map((text): HostCheck => ({ status: 'warning', text })),
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
  const text = await readText(path);
  if (text === undefined) return { status: 'problem', text: `${path} is missing; ${again}` };
  if (!isOurs(text)) return { status: 'problem', text: `${path} is not ours` };

  const [node = '', script = '', ...rest] = readCommand(text) ?? [];
  for (const part of [node, script]) {
    if (part !== '' && !(await exists(part))) {
      return { status: 'problem', text: `${path} runs ${part}, which is gone; ${again} anew` };
    }
  }
  const veto = rest.includes('--veto');
  const isCurrent =
    text === (await writeSource(file, layout.name, node === '' ? context : { node, script, veto }));
  return isCurrent
    ? { status: 'ok', text: path }
    : { status: 'warning', text: `${path} is of another version, or was changed; ${again} anew` };
}

/** Agent-zero as it was until August 2025 asks no extension about tools: what we install is never run. */
async function missingPoints(root: string, layout: AgentZeroLayout): Promise<readonly string[]> {
  if (layout.name === 'current') return [];
  const agent = join(root, 'agent.py');
  const text = (await readText(agent)) ?? '';
  const points = ['tool_execute_before', 'tool_execute_after'];
  return points.every((point) => text.includes(point))
    ? []
    : [
        `${agent} does not call tool_execute_before and tool_execute_after: this agent-zero is too old to run ` +
          'the extensions. Update it.',
      ];
}

/** What stands where a file of ours goes. */
async function readPlace({ path }: PlacedFile): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CannotInstallError(`${path} cannot be read: ${String(error)}`, { cause: error });
  }
}

function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
