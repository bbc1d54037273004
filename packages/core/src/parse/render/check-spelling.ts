import { ToolRenderError } from '../../errors.ts';

/** Throws unless a name is made of what a dialect can spell it with. */
export function checkSpelling(format: string, name: string, allowed: RegExp): void {
  if (allowed.test(name)) return;
  throw new ToolRenderError(
    `${format} cannot write the name ${JSON.stringify(name)}: it would not read back as the same`,
  );
}
