/** The agents that Holdfast can be built into, by the names they have on the command line. */
export const HOST_NAMES = ['claude-code', 'codex', 'gemini', 'opencode', 'agent-zero'] as const;

export type HostName = (typeof HOST_NAMES)[number];
