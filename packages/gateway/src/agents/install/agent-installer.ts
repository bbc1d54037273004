import type { HostName } from '../host-name.ts';

/** Where, and with what, an agent is to be given the hooks. */
export interface InstallContext {
  /** `user`: for all that this user does. `project`: for the folder, in files that are shared with others. */
  readonly scope: 'user' | 'project';
  /** The folder of the project. */
  readonly project: string;
  readonly home: string;
  /** Environment variables that move a host's files, such as CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_CONFIG_HOME. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where agent-zero lives. @defaultValue '/a0' */
  readonly root: string;
  /** How the hook is run: absolute paths of Node and of our script. */
  readonly node: string;
  readonly script: string;
  /** Whether the hook stops calls that only repeat what failed (`--veto`). */
  readonly veto: boolean;
}

/** A file as it is and as it is to be. */
export interface FileEdit {
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: string | undefined;
  /** Undefined where there is to be none. */
  readonly after: string | undefined;
}

/** What would be done. Whoever made it wrote nothing. */
export interface InstallPlan {
  /** Only files that change. Empty: all is as it should be. */
  readonly edits: readonly FileEdit[];
  /** What the user has to know or do, a sentence each: `/hooks` in Codex, restart the agent, … */
  readonly notes: readonly string[];
  /**
   * Folders that were there for the files alone. They are removed after them, in this order, where nothing is left
   * in them; the `__pycache__` that Python makes is nothing.
   * @defaultValue none
   */
  readonly folders?: readonly string[];
}

/** One thing that was looked at. */
export interface HostCheck {
  readonly status: 'ok' | 'warning' | 'problem';
  /** What was found, and what to do about it. */
  readonly text: string;
}

/** Thrown where a file cannot be changed safely: it does not parse, or is not what the host would read. */
export class CannotInstallError extends Error {
  override readonly name = 'CannotInstallError';
}

/** Builds the hooks into an agent, and takes them out. */
export interface AgentInstaller {
  readonly name: HostName;
  /** As its makers write it. */
  readonly title: string;
  /**
   * Whether its files are ours from the first byte to the last, and none of the user's: their names are enough then,
   * unless a dry run is to show them.
   * @defaultValue false
   */
  readonly ownsFiles?: boolean;
  /** What it takes for the hooks to be there, once, and up to date. Reads files, and writes none. */
  install(context: InstallContext): Promise<InstallPlan>;
  /** What it takes for them to be gone. */
  uninstall(context: InstallContext): Promise<InstallPlan>;
  /** Whether they are there and can work. `holdfast doctor <host>` prints it, and runs the hook besides. */
  check(context: InstallContext): Promise<readonly HostCheck[]>;
}
