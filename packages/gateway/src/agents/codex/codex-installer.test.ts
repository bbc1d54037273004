import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { HostCheck, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { codexInstaller } from './codex-installer.ts';
import { CODEX_EVENTS, codexHook, filesOf, hookCommand, trustHash } from './codex-hooks.ts';

const EVENTS = CODEX_EVENTS.map(({ event }) => event);

/** Another program's hooks, as a user has them. */
const OTHERS = `{
  "description": "mine",
  "hooks": {
    "PreToolUse": [
      { "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "check.sh" }] }
    ]
  }
}
`;

describe('the installer of Codex', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-install-'));
  const script = join(folder, "it's a holdfast.js");
  writeFileSync(script, 'console.log(process.argv.slice(2).join());\n');
  let homes = 0;

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function contextOf(more: Partial<InstallContext> = {}): InstallContext {
    const home = join(folder, `home ${++homes}`);
    return {
      scope: 'user',
      project: join(home, 'project'),
      home,
      env: {},
      root: '/a0',
      node: process.execPath,
      script,
      veto: false,
      ...more,
    };
  }

  const hooksFile = ({ home }: InstallContext): string => join(home, '.codex', 'hooks.json');
  const configFile = ({ home }: InstallContext): string => join(home, '.codex', 'config.toml');

  function write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Does what a plan says, and gives its only file. */
  function apply({ edits }: InstallPlan): string | undefined {
    for (const { path, after } of edits) {
      if (after === undefined) rmSync(path);
      else write(path, after);
    }
    expect(edits.length).toBeLessThan(2);
    return edits[0]?.after;
  }

  /** What Codex writes when the user trusts the hooks at these places. */
  function trust(context: InstallContext, group: number, hook = codexHook(context)): void {
    const tables = CODEX_EVENTS.map((event) => {
      const place = JSON.stringify(`${hooksFile(context)}:${event.label}:${group}:0`);
      return `[hooks.state.${place}]\ntrusted_hash = "${trustHash(event, hook)}"\n`;
    });
    write(configFile(context), `model = "x"\n\n[hooks.state]\n\n${tables.join('\n')}`);
  }

  const statuses = (checks: readonly HostCheck[]): readonly string[] =>
    checks.map(({ status }) => status);

  test('makes a file with a hook for each event', async () => {
    const context = contextOf();
    const plan = await codexInstaller.install(context);
    const written = JSON.parse(apply(plan)!) as { readonly hooks: object };

    expect(plan.edits[0]).toMatchObject({ path: hooksFile(context), before: undefined });
    expect(written.hooks).toEqual(
      Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [codexHook(context)] }]])),
    );
    expect(plan.notes.join()).toContain('/hooks');
  });

  test('puts them behind those of others, which keep their places and their bytes', async () => {
    const context = contextOf();
    write(hooksFile(context), OTHERS);
    const after = apply(await codexInstaller.install(context))!;

    const written = JSON.parse(after) as { hooks: { PreToolUse: readonly object[] } };
    expect(written.hooks.PreToolUse).toEqual([
      { matcher: '^Bash$', hooks: [{ type: 'command', command: 'check.sh' }] },
      { hooks: [codexHook(context)] },
    ]);
    expect(after).toContain(OTHERS.split('\n').slice(0, 5).join('\n'));
  });

  test('has nothing to do when they are there, and gives the file back when they go', async () => {
    const context = contextOf();
    write(hooksFile(context), OTHERS);
    apply(await codexInstaller.install(context));

    expect(await codexInstaller.install(context)).toEqual({ edits: [], notes: [] });

    apply(await codexInstaller.uninstall(context));
    expect(readFileSync(hooksFile(context), 'utf8')).toBe(OTHERS);
    expect(await codexInstaller.uninstall(context)).toEqual({ edits: [], notes: [] });
  });

  test('takes them out of a file that Codex no longer reads', async () => {
    const context = contextOf();
    write(hooksFile(context), OTHERS);
    const installed = apply(await codexInstaller.install(context))!;
    write(hooksFile(context), `// mine\n${installed}`);

    await expect(codexInstaller.install(context)).rejects.toThrow(
      'Codex reads no file with comments',
    );
    expect(apply(await codexInstaller.uninstall(context))).toBe(`// mine\n${OTHERS}`);
  });

  test('brings hooks up to date where they stand, and leaves one of several', async () => {
    const context = contextOf();
    const old = { type: 'command', command: 'node /old/holdfast.js hook codex', timeout: 5 };
    const groups = [{ hooks: [old] }, { hooks: [{ type: 'command', command: 'x' }, old] }];
    write(hooksFile(context), JSON.stringify({ hooks: { PreToolUse: groups } }));
    const veto = { ...context, veto: true };
    const written = JSON.parse(apply(await codexInstaller.install(veto))!) as {
      hooks: { PreToolUse: readonly object[] };
    };

    expect(codexHook(veto).command).toMatch(/ hook codex --veto$/);
    expect(written.hooks.PreToolUse).toEqual([
      { hooks: [codexHook(veto)] },
      { hooks: [{ type: 'command', command: 'x' }] },
    ]);
  });

  test('says when others move, for Codex knows hooks by their place', async () => {
    const context = contextOf();
    apply(await codexInstaller.install(context));
    const file = JSON.parse(readFileSync(hooksFile(context), 'utf8')) as {
      hooks: Record<string, object[]>;
    };
    file.hooks['PostToolUse']!.push({ hooks: [{ type: 'command', command: 'later.sh' }] });
    write(hooksFile(context), JSON.stringify(file));
    const plan = await codexInstaller.uninstall(context);

    expect(plan.notes.join()).toContain('trust them again');
    expect(JSON.parse(plan.edits[0]!.after!)).toEqual({
      hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'later.sh' }] }] },
    });
  });

  test('looks where CODEX_HOME says, and in the folder of a project', async () => {
    const context = contextOf();
    const moved = { ...context, env: { CODEX_HOME: join(folder, 'moved') } };
    const project = { ...context, scope: 'project' as const };

    expect((await codexInstaller.install(moved)).edits[0]!.path).toBe(
      join(folder, 'moved', 'hooks.json'),
    );
    const plan = await codexInstaller.install(project);
    expect(plan.edits[0]!.path).toBe(join(context.project, '.codex', 'hooks.json'));
    expect(plan.notes.join()).toContain('folder is trusted');
  });

  test('says what in config.toml is in the way', async () => {
    const context = contextOf();
    write(
      configFile(context),
      '[features]\nhooks = false # not now\n\n[[hooks.PreToolUse]]\nmatcher = "Bash"\n',
    );
    const { notes } = await codexInstaller.install(context);

    expect(notes.join('\n')).toContain('Hooks are off');
    expect(notes.join('\n')).toContain('has hooks too');
  });

  test.for([
    ['no JSON', '{"hooks": '],
    ['JSON with comments, which Codex does not read', '{\n// mine\n"hooks": {}}'],
    ['a byte order mark, which it does not read either', '\uFEFF'],
    ['a list', '[]'],
    ['hooks that are no object', '{"hooks": []}'],
    ['an event that is no list', '{"hooks": {"PreToolUse": {}}}'],
  ])('refuses a file that is %s', async ([, text]) => {
    const context = contextOf();
    write(hooksFile(context), text!);

    await expect(codexInstaller.install(context)).rejects.toThrow(CannotInstallError);
    await expect(codexInstaller.install(context)).rejects.toThrow(hooksFile(context));
    const checks = await codexInstaller.check(context);
    expect(statuses(checks)).toEqual(['problem']);
  });

  describe('checks', () => {
    test('that the hooks are there', async () => {
      const context = contextOf();

      expect(await codexInstaller.check(context)).toEqual([
        {
          status: 'problem',
          text: `${hooksFile(context)} is not there: run \`holdfast install codex\``,
        },
      ]);
    });

    test('that the user trusts them', async () => {
      const context = contextOf();
      apply(await codexInstaller.install(context));
      const untrusted = await codexInstaller.check(context);
      trust(context, 0);
      const trusted = await codexInstaller.check(context);

      expect(statuses(untrusted)).toEqual(['ok', 'problem', 'problem', 'problem']);
      expect(untrusted[1]!.text).toContain('not trusted');
      expect(statuses(trusted)).toEqual(['ok', 'ok', 'ok', 'ok']);
    });

    test('that they are still what the user trusts, and turned on', async () => {
      const context = contextOf();
      apply(await codexInstaller.install(context));
      trust(context, 0, { ...codexHook(context), timeout: 9 });
      const changed = await codexInstaller.check(context);
      trust(context, 0);
      write(
        configFile(context),
        readFileSync(configFile(context), 'utf8').replaceAll(
          'trusted_hash',
          'enabled = false\ntrusted_hash',
        ),
      );
      const off = await codexInstaller.check(context);

      expect(changed[1]!.text).toContain('not what was trusted');
      expect(off[1]!.text).toContain('turned off');
    });

    test('that what they run exists', async () => {
      const context = contextOf({ script: join(folder, 'gone', 'holdfast.js') });
      apply(await codexInstaller.install(context));
      trust(context, 0);
      const checks = await codexInstaller.check(context);

      expect(statuses(checks)).toEqual(['ok', 'problem', 'problem', 'problem']);
      expect(checks[1]!.text).toContain(join(folder, 'gone', 'holdfast.js'));
    });

    test('that each is there once, for all tools, as this Holdfast writes it', async () => {
      const context = contextOf();
      const hook = codexHook(context);
      const hooks = {
        PreToolUse: [{ hooks: [hook] }, { hooks: [hook] }],
        PostToolUse: [{ matcher: '^Bash$', hooks: [{ ...hook, timeout: 60 }] }],
      };
      write(hooksFile(context), JSON.stringify({ hooks }));
      const checks = await codexInstaller.check(context);
      const texts = checks.map(({ text }) => text).join('\n');

      expect(texts).toContain('PreToolUse has 2 hooks of ours instead of one');
      expect(texts).toContain('PostToolUse hears of some tools only: ^Bash$');
      expect(texts).toContain('PostToolUse is not as this Holdfast writes it');
      expect(texts).toContain('UserPromptSubmit has no hook of ours');
    });

    test('that Codex runs hooks at all, and those of a project', async () => {
      const context = contextOf();
      const project = { ...context, scope: 'project' as const };
      apply(await codexInstaller.install(project));
      write(configFile(context), '[features]\nhooks = false\n');
      const checks = await codexInstaller.check(project);
      const texts = checks.map(({ text }) => text).join('\n');

      expect(texts).toContain('hooks are off');
      expect(texts).toContain('may not be trusted');

      const place = JSON.stringify(context.project);
      write(configFile(context), `[projects.${place}]\ntrust_level = "trusted"\n`);
      const trusted = (await codexInstaller.check(project)).map(({ text }) => text).join('\n');
      expect(trusted).not.toContain('hooks are off');
      expect(trusted).not.toContain('may not be trusted');
    });
  });

  test.skipIf(process.platform === 'win32')('writes a command that shells run', () => {
    const command = hookCommand(contextOf({ veto: true }), 'linux');

    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe('hook,codex,--veto\n');
    expect(filesOf(command)).toEqual([process.execPath, script]);
  });

  test('quotes for Windows only what needs it', () => {
    const node = 'C:\\Program Files\\nodejs\\node.exe';
    const own = 'C:\\npm\\node_modules\\holdfast\\bin\\holdfast.js';
    const command = hookCommand(contextOf({ node, script: own }), 'win32');

    expect(command).toBe(`"${node}" ${own} hook codex`);
    expect(filesOf(command)).toEqual([node, own]);
  });

  test('knows by what hash Codex trusts a hook', () => {
    // As Codex 0.166.0 told it of this very hook (`hooks/list` of its app server).
    const command = hookCommand(
      contextOf({ node: '/opt/nodé/bin/node', script: "/opt/it's/holdfast.js" }),
      'linux',
    );
    const hook = { type: 'command', command, timeout: 5 } as const;

    expect(CODEX_EVENTS.map((event) => trustHash(event, hook))).toEqual([
      'sha256:bd28ad08e3158a734bda6bbe65bd1ff5e121861f1be8ae01947c1fdc78a2f6d3',
      'sha256:5c6df5549156b5eb465044341112788018f6801189afb8ce8ab013144ea3a7df',
      'sha256:a6279a710057cc31cb02cb833f6ea7cbe603ffe561bda0fbf97ec687d082ea5f',
    ]);
  });
});
