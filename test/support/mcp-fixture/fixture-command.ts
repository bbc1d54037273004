import { fileURLToPath } from 'node:url';

/** How the fixture can be served: over what, and whether it knows the revision 2026-07-28. */
export interface FixtureKind {
  readonly over: 'stdio' | 'http';
  readonly legacyOnly?: boolean;
}

/** What to start with Node to have the fixture server. */
export function fixtureCommand({ over, legacyOnly = false }: FixtureKind): readonly string[] {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const command = ['--import', import.meta.resolve('tsx'), main, over];
  return legacyOnly ? [...command, '--legacy-only'] : command;
}
