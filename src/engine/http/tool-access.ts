import type { HttpRequest } from '../api/http-request.js';
import type { Tool, ToolServer } from '../api/tool.js';
import { METADATA_PATHS } from '../api/tool-route.js';
import type { HttpResponse } from '../control/http-response.js';
import { isRead } from '../lib/target.js';

const METADATA = Object.values(METADATA_PATHS);

/** Responds to requests for the tools of a service. Its code is loaded with the first one. */
export class ToolAccess {
  readonly #server: ToolServer;
  /** Default: as each request came. */
  readonly #base: string | undefined;
  #tools: Promise<readonly Tool[]> | undefined;

  constructor(server: ToolServer, base: string | undefined) {
    this.#server = server;
    this.#base = base;
  }

  /** Whether a request is for the tools, or for the metadata of their endpoint. */
  serves({ area, match, method, path }: HttpRequest): boolean {
    if (match !== undefined || area !== 'api' || method === 'OPTIONS') return false;
    // As of other routes, a slash at the end is ignored.
    return (
      path.replace(/\/$/, '') === this.#server.path ||
      (isRead(method) && METADATA.some((each) => path === each || path.startsWith(`${each}/`)))
    );
  }

  /** @param send sends a request through the pipeline */
  async respond(
    request: HttpRequest,
    send: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const server = this.#server;
    this.#tools ??= server.load();
    const { respondToTools } = await import('../mcp/service-http.js');
    return await respondToTools(request, { server, tools: await this.#tools, base: this.#base ?? request.base, send });
  }
}
