/** What an agent acts with: the API of the service, and its MCP tools. It knows nothing of the emulator. */
export class Api {
  #url;
  #headers;

  constructor({ url, token }) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  /** Sends a request, and returns the body of its response. */
  async send(method, path, body) {
    const response = await fetch(this.#url + path, {
      method,
      headers: this.#headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Calls an MCP tool. */
  async call(name, args) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const response = await fetch(`${this.#url}/v3/mcp`, {
      method: 'POST',
      headers: { ...this.#headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    const { result } = JSON.parse(text.replace(/^event: message\ndata: /, ''));
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    return JSON.parse(result.content[0].text);
  }

  val(name) {
    return this.send('GET', `/v1/alias/ada/${name}`);
  }

  sql(...statements) {
    return this.send('POST', '/v1/sqlite/batch', { statements });
  }
}
