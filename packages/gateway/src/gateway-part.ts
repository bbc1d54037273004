/** What a gateway can be asked: by those who operate it, by agents in any language, by MCP clients, for models. */
export const GATEWAY_PARTS = Object.freeze(['operate', 'sidecar', 'mcp', 'proxy'] as const);

export type GatewayPart = (typeof GATEWAY_PARTS)[number];
