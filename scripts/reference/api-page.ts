import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../test/support/repository.ts';
import type { Entry } from '../../test/support/repository.ts';
import { declarationText, docComment, namesIn } from './declaration-text.ts';
import { ENTRY_PURPOSES } from './entry-purposes.ts';
import { exportedNames } from './exported-names.ts';
import type { ExportedName, NamedDeclaration } from './exported-names.ts';

const GROUPS = ['Functions', 'Classes', 'Constants', 'Types'] as const;

type Group = (typeof GROUPS)[number];

/** The page of an entry of core: every name with its comment and its declaration. */
export function apiPage({ specifier, name, source }: Entry): string {
  const names = exportedNames(join(root, source));
  const anchors = anchorsOf(names);
  const groups = GROUPS.map((group) => ({
    group,
    names: names.filter((one) => groupOf(one) === group),
  })).filter((one) => one.names.length > 0);
  const links = new Map(names.map((one) => [one.name, `#${anchors.get(one) ?? ''}`]));
  return [
    `# ${specifier}`,
    aboutOf(name),
    groups.map(({ group, names: inIt }) => `- ${group}: ${linked(inIt, links)}`).join('\n'),
    ...groups.flatMap(({ group, names: inIt }) => [
      `## ${group}`,
      ...inIt.flatMap((one) => section(one, links)),
    ]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function aboutOf(entry: string): string {
  const { purpose = '', explained } = ENTRY_PURPOSES[entry] ?? {};
  return explained === undefined ? purpose : `${purpose} See ${explained}.`;
}

function linked(names: readonly ExportedName[], links: ReadonlyMap<string, string>): string {
  return names.map(({ name }) => `[${name}](${links.get(name) ?? ''})`).join(', ');
}

function section(one: ExportedName, links: ReadonlyMap<string, string>): readonly string[] {
  const { name, declarations } = one;
  const related = namesIn(declarations, new Set(links.keys()));
  return [
    `### ${name}`,
    docComment(declarations),
    `\`\`\`typescript\n${declarationText(declarations)}\n\`\`\``,
    related.length === 0
      ? ''
      : `See ${related.map((other) => `[${other}](${links.get(other) ?? ''})`).join(', ')}.`,
  ].filter((part) => part !== '');
}

/** The anchors that GitHub gives to the headings: `Bulkhead` and `bulkhead` would have the same. */
function anchorsOf(names: readonly ExportedName[]): ReadonlyMap<ExportedName, string> {
  const seen = new Map<string, number>(GROUPS.map((group) => [group.toLowerCase(), 1]));
  const anchors = new Map<ExportedName, string>();
  const inOrder = GROUPS.flatMap((group) => names.filter((one) => groupOf(one) === group));
  for (const one of inOrder) {
    const slug = one.name.toLowerCase();
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.set(one, times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

function groupOf({ declarations }: ExportedName): Group {
  const is = (test: (node: NamedDeclaration) => boolean): boolean => declarations.some(test);
  if (is(ts.isFunctionDeclaration)) return 'Functions';
  if (is(ts.isClassDeclaration)) return 'Classes';
  return is(ts.isVariableDeclaration) ? constantGroup(declarations) : 'Types';
}

/** A constant that holds a function is one to whoever calls it. */
function constantGroup(declarations: readonly NamedDeclaration[]): Group {
  const isCalled = declarations.some(
    (node) =>
      ts.isVariableDeclaration(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type),
  );
  return isCalled ? 'Functions' : 'Constants';
}

/** Names that no comment explains. */
export function undocumentedNames({ specifier, source }: Entry): readonly string[] {
  return exportedNames(join(root, source))
    .filter(({ declarations }) => docComment(declarations) === '')
    .map(({ name }) => `${specifier} ${name}`);
}
