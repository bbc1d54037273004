import ts from 'typescript';
import type { NamedDeclaration } from './exported-names.ts';

/** A constant with a longer value than this is shown by its type alone. */
const LONGEST_VALUE = 30;

/** What a user has to know of a declaration, as TypeScript: bodies, private members and `export` left out. */
export function declarationText(declarations: readonly NamedDeclaration[]): string {
  // An implementation behind overloads cannot be called as it is written.
  const overloads = declarations.filter((one) => ts.isFunctionDeclaration(one) && !one.body);
  const shown = overloads.length > 0 ? overloads : declarations;
  return shown.map(textOf).join('\n\n');
}

function textOf(node: NamedDeclaration): string {
  if (ts.isClassDeclaration(node)) return classText(node);
  if (ts.isFunctionDeclaration(node)) return `${withoutBody(node)};`;
  if (ts.isVariableDeclaration(node)) return constantText(node);
  return shortenModifiers(node.getText());
}

function constantText(node: ts.VariableDeclaration): string {
  const whole = `const ${node.getText()};`;
  const isTold = node.initializer !== undefined && isPlainValue(node.initializer);
  if (isTold && whole.split('\n').length <= LONGEST_VALUE) return whole;
  return `const ${node.name.getText()}: ${node.type?.getText() ?? 'unknown'};`;
}

/** Data, also frozen, and no expression that only the program can read. */
function isPlainValue(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) {
    const [value] = node.arguments;
    return (
      node.expression.getText() === 'Object.freeze' && value !== undefined && isPlainValue(value)
    );
  }
  if (ts.isAsExpression(node)) return isPlainValue(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlainValue);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (property) => ts.isPropertyAssignment(property) && isPlainValue(property.initializer),
    );
  }
  return ts.isLiteralExpression(node) || isWord(node);
}

function isWord(node: ts.Expression): boolean {
  return /^(?:true|false|null|undefined|Infinity|-\d+)$/.test(node.getText());
}

function classText(node: ts.ClassDeclaration): string {
  const source = node.getSourceFile();
  const head = source.text.slice(node.getStart(), node.members.pos).trimEnd();
  const members = node.members.filter((member, index) => isShown(member, node.members[index - 1]));
  const body = members.map((member) => `${docText(member)}  ${memberText(member)}\n`);
  return `${shortenModifiers(head)}\n${body.join('')}}`;
}

function isShown(member: ts.ClassElement, before: ts.ClassElement | undefined): boolean {
  if (ts.isClassStaticBlockDeclaration(member)) return false;
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return false;
  if (isImplementation(member, before)) return false;
  const flags = ts.getCombinedModifierFlags(member);
  return (flags & ts.ModifierFlags.NonPublicAccessibilityModifier) === 0;
}

function isImplementation(member: ts.ClassElement, before: ts.ClassElement | undefined): boolean {
  if (!ts.isMethodDeclaration(member) || before === undefined) return false;
  if (!ts.isMethodDeclaration(before) || before.body !== undefined) return false;
  return member.body !== undefined && member.name.getText() === before.name.getText();
}

function memberText(member: ts.ClassElement): string {
  if (ts.isPropertyDeclaration(member)) {
    const { text } = member.getSourceFile();
    const end = member.type?.end ?? member.end;
    return `${shortenModifiers(text.slice(member.getStart(), end)).replace(/;$/, '')};`;
  }
  const hasBody =
    ts.isMethodDeclaration(member) ||
    ts.isConstructorDeclaration(member) ||
    ts.isGetAccessorDeclaration(member) ||
    ts.isSetAccessorDeclaration(member);
  return hasBody ? `${withoutBody(member)};` : shortenModifiers(member.getText());
}

/** The comment of a member as it is written, with its indent. */
function docText(member: ts.ClassElement): string {
  const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  return doc === undefined ? '' : `  ${doc.getText()}\n`;
}

function withoutBody(node: ts.FunctionLikeDeclaration): string {
  const { text } = node.getSourceFile();
  const end = node.body?.getFullStart() ?? node.end;
  let at = node.getStart();
  let told = '';
  for (const parameter of node.parameters) {
    if (parameter.initializer === undefined) continue;
    told += text.slice(at, parameter.getStart()) + optional(parameter, parameter.initializer);
    at = parameter.end;
  }
  told += text.slice(at, end);
  return shortenModifiers(told).trimEnd().replace(/;$/, '');
}

/** Whoever calls it may leave it out; what then stands for it is often nobody's business. */
function optional({ name, type }: ts.ParameterDeclaration, initial: ts.Expression): string {
  const told = type?.getText() ?? (ts.isNumericLiteral(initial) ? 'number' : 'boolean');
  return `${name.getText()}?: ${told}`;
}

/** Words that say nothing to whoever uses a name. */
function shortenModifiers(text: string): string {
  return text.replace(
    /^(?:(?:export|async|override|declare|public|static|readonly|abstract|protected) )+/,
    (words) => words.replace(/\b(?:export|async|override|declare|public) /g, ''),
  );
}

/** The comment above a declaration as Markdown: its text and its default. */
export function docComment(declarations: readonly NamedDeclaration[]): string {
  const docs = declarations.flatMap((node) =>
    ts.getJSDocCommentsAndTags(documented(node)).filter(ts.isJSDoc),
  );
  return docs
    .flatMap((doc) => [
      onOneLine(ts.getTextOfJSDocComment(doc.comment) ?? ''),
      ...(doc.tags ?? []).map((tag) => tagText(tag)),
    ])
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** Paragraphs of the source are wrapped, those of pages are not. */
function onOneLine(text: string): string {
  return text.replace(/(?<!\n)\n(?![\n-])/g, ' ');
}

/** The comment of a constant stands above its statement. */
function documented(node: NamedDeclaration): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

function tagText(tag: ts.JSDocTag): string {
  const isDefault = tag.tagName.text === 'defaultValue';
  return isDefault ? `By default ${ts.getTextOfJSDocComment(tag.comment) ?? ''}.` : '';
}

/** The public names that a declaration speaks of, itself left out. */
export function namesIn(
  declarations: readonly NamedDeclaration[],
  known: ReadonlySet<string>,
): readonly string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const type = ts.isTypeReferenceNode(node) ? node.typeName : undefined;
    const base = ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
    const name = (type ?? base)?.getText();
    if (name !== undefined && known.has(name)) found.add(name);
    // What a body needs is nobody's business.
    if (!ts.isBlock(node)) ts.forEachChild(node, visit);
  };
  for (const one of declarations) visit(one);
  const own = declarations[0]?.name?.getText();
  return [...found].filter((name) => name !== own).sort();
}
