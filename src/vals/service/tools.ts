import type { ToolServer } from '#engine/api/tool.js';
import { TOOL_NAMES } from '../tools/names.js';

/** The service's MCP server. Its tools are loaded with the first request for them. */
export const toolServer: ToolServer = {
  path: '/v3/mcp',
  names: TOOL_NAMES,
  // Source: the documentation of OAuth, July 2026.
  scopes: [
    ...['user_r', 'project_rw', 'blob_rw', 'sqlite_rw', 'email_rw', 'telemetry_r'],
    ...['openid', 'profile', 'email', 'offline_access'],
  ],
  instructions:
    'Build vals: list_vals finds them, list_files and read_file show their code, create_file and replace_in_file change it. A val is named owner/name. This is val-emulator, which runs no code: run_file and fetch_val_endpoint return an error.',
  load: async () => (await import('../tools/index.js')).tools,
};
