import ts from 'typescript';

const OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
};

/** The names that the counters and their registration have in a module. */
const COUNTERS = '$counters';
const REGISTER = '$registerModule';

/** JavaScript of a module. */
export function compile(text, file, transformers = {}) {
  const { outputText } = ts.transpileModule(text, {
    fileName: file,
    compilerOptions: OPTIONS,
    transformers,
  });
  return outputText;
}

/**
 * JavaScript of a module that counts how often each of its branches is taken, in `counters` of `coverageUrl` from
 * `first` on. It also tells the texts that stand in it: what it compares with is what inputs should be made of.
 */
export function instrument(text, { file, first, coverageUrl }) {
  const words = new Set();
  let count = 0;
  const counter = () => {
    const { factory } = ts;
    const name = factory.createIdentifier(COUNTERS);
    const index = factory.createNumericLiteral(first + count++);
    return factory.createPostfixIncrement(factory.createElementAccessExpression(name, index));
  };
  const compiled = compile(text, file, {
    before: [(context) => (sourceFile) => visitBranches(sourceFile, context, counter, words)],
  });
  const head =
    `import { counters as ${COUNTERS}, registerModule as ${REGISTER} } from ${JSON.stringify(coverageUrl)};` +
    `${REGISTER}(${JSON.stringify(file)}, ${first}, ${count}, ${JSON.stringify([...words])});`;
  return { source: head + compiled, count };
}

function visitBranches(sourceFile, context, counter, words) {
  const { factory } = ts;
  const count = () => factory.createExpressionStatement(counter());
  const counted = (expression) =>
    factory.createParenthesizedExpression(factory.createComma(counter(), expression));
  const block = (statement) =>
    statement !== undefined && ts.isBlock(statement)
      ? factory.updateBlock(statement, [count(), ...statement.statements])
      : factory.createBlock(statement === undefined ? [count()] : [count(), statement], true);

  const visit = (node) => {
    if (isOnlyType(node)) return node;
    collectWord(node, words);
    // Bottom up: what is inside has its counters when this node gets its own.
    return withCounters(ts.visitEachChild(node, visit, context));
  };

  const withCounters = (node) => {
    if (ts.isArrowFunction(node)) {
      const body = ts.isBlock(node.body) ? block(node.body) : counted(node.body);
      return factory.updateArrowFunction(
        node,
        node.modifiers,
        node.typeParameters,
        node.parameters,
        node.type,
        node.equalsGreaterThanToken,
        body,
      );
    }
    if (ts.isIfStatement(node))
      return factory.updateIfStatement(
        node,
        node.expression,
        block(node.thenStatement),
        block(node.elseStatement),
      );
    if (ts.isConditionalExpression(node))
      return factory.updateConditionalExpression(
        node,
        node.condition,
        node.questionToken,
        counted(node.whenTrue),
        node.colonToken,
        counted(node.whenFalse),
      );
    if (ts.isBinaryExpression(node) && isShortCircuit(node.operatorToken.kind))
      return factory.updateBinaryExpression(
        node,
        node.left,
        node.operatorToken,
        counted(node.right),
      );
    if (ts.isForStatement(node))
      return factory.updateForStatement(
        node,
        node.initializer,
        node.condition,
        node.incrementor,
        block(node.statement),
      );
    if (ts.isForOfStatement(node))
      return factory.updateForOfStatement(
        node,
        node.awaitModifier,
        node.initializer,
        node.expression,
        block(node.statement),
      );
    if (ts.isForInStatement(node))
      return factory.updateForInStatement(
        node,
        node.initializer,
        node.expression,
        block(node.statement),
      );
    if (ts.isWhileStatement(node))
      return factory.updateWhileStatement(node, node.expression, block(node.statement));
    if (ts.isDoStatement(node))
      return factory.updateDoStatement(node, block(node.statement), node.expression);
    if (ts.isCaseClause(node))
      return factory.updateCaseClause(node, node.expression, [count(), ...node.statements]);
    if (ts.isDefaultClause(node))
      return factory.updateDefaultClause(node, [count(), ...node.statements]);
    if (ts.isCatchClause(node))
      return factory.updateCatchClause(node, node.variableDeclaration, block(node.block));
    return withCountedBody(node);
  };

  /** Functions and methods, which differ only in what stands before the body. */
  const withCountedBody = (node) => {
    if (node.body === undefined || !ts.isFunctionLike(node) || !ts.isBlock(node.body)) return node;
    const body = block(node.body);
    const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } =
      node;
    if (ts.isFunctionDeclaration(node))
      return factory.updateFunctionDeclaration(
        node,
        modifiers,
        asteriskToken,
        name,
        typeParameters,
        parameters,
        type,
        body,
      );
    if (ts.isFunctionExpression(node))
      return factory.updateFunctionExpression(
        node,
        modifiers,
        asteriskToken,
        name,
        typeParameters,
        parameters,
        type,
        body,
      );
    if (ts.isMethodDeclaration(node))
      return factory.updateMethodDeclaration(
        node,
        modifiers,
        asteriskToken,
        name,
        questionToken,
        typeParameters,
        parameters,
        type,
        body,
      );
    if (ts.isGetAccessorDeclaration(node))
      return factory.updateGetAccessorDeclaration(node, modifiers, name, parameters, type, body);
    if (ts.isSetAccessorDeclaration(node))
      return factory.updateSetAccessorDeclaration(node, modifiers, name, parameters, body);
    if (ts.isConstructorDeclaration(node))
      return factory.updateConstructorDeclaration(node, modifiers, parameters, body);
    return node;
  };

  return ts.visitEachChild(sourceFile, visit, context);
}

const SHORT_CIRCUITS = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
]);

function isShortCircuit(kind) {
  return SHORT_CIRCUITS.has(kind);
}

function isOnlyType(node) {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

const LONGEST_WORD = 64;

/** Texts as they are, and characters as they are compared by their codes: `0x7b`. */
function collectWord(node, words) {
  if (ts.isNumericLiteral(node)) {
    const isCode = /^0x[\da-f]{2,4}$/i.test(node.getText?.() ?? '');
    if (isCode) words.add(String.fromCharCode(Number(node.text)));
    return;
  }
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node);
  if (isText && node.text !== '' && node.text.length <= LONGEST_WORD) words.add(node.text);
}
