import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotInstallError } from '../install/agent-installer.ts';

/** A file of ours and where it goes. */
export interface PlacedFile {
  readonly source:
    'tool_execute_before' | 'tool_execute_after' | 'handle_exception' | 'plugin.yaml';
  readonly path: string;
}

/** How an agent-zero is laid out, and what goes where in it. */
export interface AgentZeroLayout {
  readonly name: 'legacy' | 'current';
  readonly files: readonly PlacedFile[];
  /** Folders that may be there because of us alone, the innermost first. */
  readonly folders: readonly string[];
}

/** The folder of our plugin, in the current layout. */
const PLUGIN = join('usr', 'plugins', 'holdfast');

/**
 * The number puts it behind what agent-zero does at the same points: secrets are masked by then. The names are
 * unique, because of two extensions with one name only one is run.
 */
const NAMES = {
  tool_execute_before: '_30_tool_fallback_advisor.py',
  tool_execute_after: '_30_tool_fallback_logger.py',
  handle_exception: '_30_tool_fallback_exceptions.py',
} as const;

/** @throws {@link CannotInstallError} where there is no agent-zero, or one of a kind that we do not know */
export async function findLayout(root: string): Promise<AgentZeroLayout> {
  for (const layout of layoutsIn(root)) {
    if (await isLaidOut(root, layout)) return layout;
  }
  throw new CannotInstallError(
    `no agent-zero in ${root}: looked for helpers/extension.py with extensions/python (as it is now), and for ` +
      'python/helpers/extension.py with python/extensions (as it was); --root says where it is',
  );
}

/** What goes where in each layout that there is: after an update of agent-zero there may be files of both. */
export function layoutsIn(root: string): readonly AgentZeroLayout[] {
  return [currentLayout(root), legacyLayout(root)];
}

function legacyLayout(root: string): AgentZeroLayout {
  const extensions = join(root, 'python', 'extensions');
  const points = ['tool_execute_before', 'tool_execute_after'] as const;
  return {
    name: 'legacy',
    files: points.map((source) => ({ source, path: join(extensions, source, NAMES[source]) })),
    folders: points.map((point) => join(extensions, point)),
  };
}

function currentLayout(root: string): AgentZeroLayout {
  const plugin = join(root, PLUGIN);
  const extensions = join(plugin, 'extensions', 'python');
  // Where agent-zero looks for what runs behind `Agent.handle_exception`.
  const exceptions = ['_functions', 'agent', 'Agent', 'handle_exception', 'end'];
  const nested = exceptions.map((_, index) =>
    join(extensions, ...exceptions.slice(0, exceptions.length - index)),
  );
  const points = {
    tool_execute_before: join(extensions, 'tool_execute_before'),
    tool_execute_after: join(extensions, 'tool_execute_after'),
    handle_exception: join(extensions, ...exceptions),
  };
  return {
    name: 'current',
    files: [
      { source: 'plugin.yaml', path: join(plugin, 'plugin.yaml') },
      ...(['tool_execute_before', 'tool_execute_after', 'handle_exception'] as const).map(
        (source) => ({ source, path: join(points[source], NAMES[source]) }),
      ),
    ],
    folders: [
      points.tool_execute_before,
      points.tool_execute_after,
      ...nested,
      extensions,
      join(plugin, 'extensions'),
      plugin,
    ],
  };
}

async function isLaidOut(root: string, { name }: AgentZeroLayout): Promise<boolean> {
  const [helper, extensions] =
    name === 'current'
      ? [join('helpers', 'extension.py'), join('extensions', 'python')]
      : [join('python', 'helpers', 'extension.py'), join('python', 'extensions')];
  try {
    const found = await Promise.all([stat(join(root, helper)), stat(join(root, extensions))]);
    return found[0].isFile() && found[1].isDirectory();
  } catch {
    return false;
  }
}
