/** The package's only entry: others import nothing else. */
export { createMcpServer } from './mcp-server.ts';
export type { OwnFiles } from './make-picture.ts';
export { createMcpHttp, type McpHttp } from './serve-http.ts';
