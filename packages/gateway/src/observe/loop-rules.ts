/** The rules of the advisor by which a model goes round in circles. */
export const LOOP_RULES: ReadonlySet<string> = new Set(['same-call', 'no-progress', 'cycle']);
