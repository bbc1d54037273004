/** Where a message of the newer revisions says which one it is of, and who speaks: keys of its `_meta`. */
export const VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
/** And where an answer says who answers. */
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
