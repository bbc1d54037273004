/** A name as it stands in front of those of tools: characters that no model is given become `_`. */
export function safeServerName(name: string): string {
  return name.replaceAll(/[^\w-]/gu, '_');
}
