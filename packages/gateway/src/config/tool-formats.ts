import { RENDER_FORMATS } from '@holdfast/core/parse';

/** The dialects in which a model can read of its tools; `hermes` is another name of `qwen`. */
export const TOOL_FORMATS: readonly string[] = [...RENDER_FORMATS, 'hermes'];
