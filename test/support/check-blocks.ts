import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { rootCompilerOptions } from './compiler.ts';
import { withOutputChecks, type CodeBlock } from './markdown.ts';
import { root } from './repository.ts';

export interface WrittenBlock {
  readonly block: CodeBlock;
  readonly source: string;
  readonly runnable: string;
}

/** Inside the repository, so that `@holdfast/core` is found as anywhere else in it. */
const folder = join(root, '.cache', 'docs-code');

/** Every block becomes a module of its own: a reader may copy any one of them. */
export function writeBlocks(blocks: readonly CodeBlock[]): WrittenBlock[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return blocks.map((block) => {
    const name = `${block.page.replaceAll('/', '--')}-${block.line}`;
    const source = join(folder, `${name}.ts`);
    const runnable = join(folder, `${name}.run.ts`);
    writeFileSync(source, block.code);
    writeFileSync(runnable, withOutputChecks(block));
    return { block, source, runnable };
  });
}

/** What the compiler says, with the page and line where the code is written. */
export function typeErrors(written: readonly WrittenBlock[]): string[] {
  const bySource = new Map(written.map((one) => [one.source.replaceAll('\\', '/'), one.block]));
  const program = ts.createProgram([...bySource.keys()], {
    ...rootCompilerOptions(),
    // A short piece of code may end where its result has a name.
    noUnusedLocals: false,
    noUnusedParameters: false,
  });
  return [...bySource].flatMap(([path, block]) => {
    const file = program.getSourceFile(path);
    return ts.getPreEmitDiagnostics(program, file).map((diagnostic) => {
      const at = file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
      const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
      return `${block.page}:${block.line + at} ${text}`;
    });
  });
}
