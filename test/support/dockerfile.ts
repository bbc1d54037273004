/** One instruction of a Dockerfile, with lines that were continued joined. */
export interface Instruction {
  readonly line: number;
  readonly keyword: string;
  readonly rest: string;
}

/** What follows one `FROM`. */
export interface Stage {
  readonly name: string | undefined;
  /** The image, or the name of an earlier stage. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage it copies from; undefined for the folder that is built. */
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/** The instructions of a Dockerfile, without comments. */
function instructionsOf(text: string): readonly Instruction[] {
  const instructions: Instruction[] = [];
  let pending: { line: number; text: string } | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (raw.trim() === '' || raw.trimStart().startsWith('#')) continue;
    pending = { line: pending?.line ?? index + 1, text: `${pending?.text ?? ''}${raw.trim()}` };
    if (pending.text.endsWith('\\')) {
      pending.text = pending.text.slice(0, -1);
      continue;
    }
    const [keyword = '', ...rest] = pending.text.split(' ');
    instructions.push({ line: pending.line, keyword, rest: rest.join(' ') });
    pending = undefined;
  }
  return instructions;
}

/** The stages of a Dockerfile, in their order. */
export function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string | undefined; from: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    if (instruction.keyword === 'FROM') {
      const [from = '', , name] = instruction.rest.split(' ');
      stages.push({ name, from, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return stages;
}

export function readCopy({ rest }: Instruction): Copy {
  const words = rest.split(' ');
  const stage = /^--from=(.*)$/.exec(words[0] ?? '')?.[1];
  const paths = stage === undefined ? words : words.slice(1);
  return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}
