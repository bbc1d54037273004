/** What Codex' settings say of hooks. */
export interface CodexConfig {
  /** Whether there are hooks in it: Codex runs them too, and warns of two places. */
  readonly hasHooks: boolean;
  /** Whether hooks are turned off altogether. */
  readonly isOff: boolean;
  /** What the user trusts: by the place of a hook, what it was when they did. */
  readonly trusted: ReadonlyMap<string, string>;
  /** Places of hooks that the user turned off. */
  readonly disabled: ReadonlySet<string>;
  /** Folders that the user trusts: in others Codex runs no hook of a project. */
  readonly projects: ReadonlySet<string>;
}

/** Reads of a `config.toml` the few lines that are about hooks, as Codex and most people write them. */
export function readCodexConfig(text: string): CodexConfig {
  const trusted = new Map<string, string>();
  const disabled = new Set<string>();
  const projects = new Set<string>();
  let hasHooks = false;
  let isOff = false;
  for (const { keys, value } of settingsIn(text)) {
    const [first, second = '', third = '', fourth] = keys;
    if (first === 'hooks' && second === 'state') {
      if (fourth === 'trusted_hash') trusted.set(third, value);
      if (fourth === 'enabled' && value === 'false') disabled.add(third);
    } else if (first === 'hooks') {
      hasHooks = true;
    } else if (first === 'features' && (second === 'hooks' || second === 'codex_hooks')) {
      isOff = value === 'false';
    } else if (first === 'projects' && third === 'trust_level' && value === 'trusted') {
      projects.add(second);
    }
  }
  return { hasHooks, isOff, trusted, disabled, projects };
}

interface Setting {
  /** With those of the table that it is in. */
  readonly keys: readonly string[];
  readonly value: string;
}

function settingsIn(text: string): readonly Setting[] {
  let table: readonly string[] = [];
  return text.split('\n').flatMap((line): readonly Setting[] => {
    const own = line.trim();
    if (own.startsWith('[')) {
      table = readKeys(own.startsWith('[[') ? own.slice(2) : own.slice(1)).keys;
      return [];
    }
    const { keys, rest } = readKeys(own);
    if (keys.length === 0 || !rest.startsWith('=')) return [];
    const said = rest.slice(1).trim();
    return [{ keys: [...table, ...keys], value: unquoted(VALUE.exec(said)?.[0] ?? '') }];
  });
}

/** The parts of a dotted key, and what comes behind it. */
function readKeys(text: string): { readonly keys: readonly string[]; readonly rest: string } {
  const keys: string[] = [];
  let rest = text;
  for (;;) {
    const part = KEY.exec(rest)?.[0];
    if (part === undefined) return { keys, rest };
    keys.push(unquoted(part));
    rest = rest.slice(part.length).trimStart();
    if (!rest.startsWith('.')) return { keys, rest };
    rest = rest.slice(1).trimStart();
  }
}

const KEY = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)/;
const VALUE = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#]+)/;

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    // As far as paths go, strings of TOML are strings of JSON.
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
