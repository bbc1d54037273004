/** The name that all tools which no server lists share in counts and labels. No tool can have it. */
export const UNLISTED_TOOL = '(unlisted)';

/** Set on operations of such tools. */
export const UNLISTED_ATTRIBUTE = 'holdfast.mcp.tool.unlisted';
