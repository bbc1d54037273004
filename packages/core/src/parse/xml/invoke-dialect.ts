import type { ReadContext } from '../format.ts';
import type { InvokeTags } from './invoke-tags.ts';
import type { ParameterReading } from './parameter-reading.ts';

/** How a dialect of `<invoke name="f"><parameter name="k">v</parameter></invoke>` differs from the others. */
export interface InvokeDialect {
  readonly tags: InvokeTags;
  /** How the text of a parameter becomes a value. */
  readonly reading: (
    context: ReadContext,
    tool: string,
    key: string,
    attributes: ReadonlyMap<string, string>,
  ) => ParameterReading;
  /** The tool that is meant by what was written. @defaultValue what was written */
  readonly toolName?: (written: string, context: ReadContext) => string;
  /** What a piece of a value stands for. @defaultValue itself */
  readonly decode?: (piece: string) => string;
  /** Whether white space around values is layout. @defaultValue false */
  readonly trimsValues?: boolean;
  /** Whether values may be written as `<![CDATA[…]]>`. @defaultValue false */
  readonly readsCdata?: boolean;
  /**
   * Whether tags are so common that parameters have to fit the tool: none twice, and all that are required.
   * @defaultValue false
   */
  readonly isStrict?: boolean;
}
