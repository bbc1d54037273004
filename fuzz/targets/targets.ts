import type { FuzzTarget } from '../loop/fuzz-target.ts';

/** Targets of one kind; their code is loaded when one of them is asked for. */
interface TargetGroup {
  /** What names of its targets are, or begin with. */
  readonly names: readonly string[];
  readonly load: () => Promise<readonly FuzzTarget[]>;
}

const GROUPS: readonly TargetGroup[] = [
  {
    names: ['json'],
    load: async () => [(await import('./json.ts')).jsonTarget],
  },
  {
    names: ['dialect', 'mixed'],
    load: async () => {
      const { dialectTargets, mixedTarget } = await import('./dialects.ts');
      return [mixedTarget, ...dialectTargets];
    },
  },
  {
    names: ['xml', 'pythonic', 'key-value', 'yaml'],
    load: async () => (await import('./families.ts')).familyTargets,
  },
  {
    names: ['render'],
    load: async () => [(await import('./render.ts')).renderTarget],
  },
  {
    names: ['damage'],
    load: async () => [(await import('./damage.ts')).damageTarget],
  },
  {
    names: ['check', 'pattern', 'failure'],
    load: async () => {
      const { checkTarget, failureTarget, patternTarget } = await import('./check.ts');
      return [checkTarget, patternTarget, failureTarget];
    },
  },
  {
    names: ['classify', 'conversation'],
    load: async () => {
      const { classifyTarget, conversationTarget } = await import('./advise.ts');
      return [classifyTarget, conversationTarget];
    },
  },
  {
    names: ['sse', 'upstream'],
    load: async () => {
      const { sseTarget, upstreamTargets } = await import('./streams.ts');
      return [sseTarget, ...upstreamTargets];
    },
  },
  {
    names: ['config', 'mcp-config', 'plugin-file'],
    load: async () => {
      const { configTarget, mcpConfigTarget, pluginFileTarget } = await import('./config.ts');
      return [configTarget, mcpConfigTarget, pluginFileTarget];
    },
  },
  {
    names: ['hook'],
    load: async () => [(await import('./hook.ts')).hookTarget],
  },
];

/** They find something on purpose: only who asks for them gets them. */
const TOYS: TargetGroup = {
  names: ['toy'],
  load: async () => (await import('./toys.ts')).toyTargets,
};

/** The targets of these names; `dialect` means all that begin so. Without names, all but the toys. */
export async function loadTargets(names: readonly string[]): Promise<readonly FuzzTarget[]> {
  const all: FuzzTarget[] = [];
  for (const group of [...GROUPS, TOYS]) {
    const isAsked = (name: string): boolean => group.names.some((one) => isOf(name, one));
    if (names.length === 0 ? group !== TOYS : names.some(isAsked))
      all.push(...(await group.load()));
  }
  if (names.length === 0) return all;
  const unknown = names.find((name) => !all.some((target) => isOf(target.name, name)));
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}; --list names them`);
  return all.filter((target) => names.some((name) => isOf(target.name, name)));
}

function isOf(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}-`);
}
