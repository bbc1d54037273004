import { jsonText } from './json-text.ts';
import type { ToolResult } from './render-dialect.ts';

/** What a tool answered as text: JSON where it is no text, and said to be an error where it is one. */
export function plainText(result: ToolResult, markers: readonly string[]): string {
  const { content, isError = false } = result;
  const text =
    typeof content === 'string' ? disarmed(content, markers) : jsonText(content, markers);
  return isError ? `Error: ${text}` : text;
}

/**
 * A tool's answer comes from outside, and must not end its own block or begin another: `</result>` becomes
 * `<\/result>`. The model can still read it.
 */
export function disarmed(text: string, markers: readonly string[]): string {
  let safe = text;
  for (const marker of markers) {
    safe = safe.replaceAll(marker, `${marker.charAt(0)}\\${marker.slice(1)}`);
  }
  return safe;
}
