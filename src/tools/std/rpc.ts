/** A handler of HTTP requests. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Makes an HTTP val of a function. A POST has the arguments as its body, a list or `{ args }`; a GET as `?args=`. The result
 * is JSON.
 */
export function rpc<A extends unknown[]>(run: (...args: A) => unknown): Handler {
  return async (request) => {
    const args = await readArguments<A>(request);
    return args ? Response.json((await run(...args)) ?? null) : Response.json(EXPECTED, { status: 400 });
  };
}

const EXPECTED = { error: 'std/rpc: expected a list of arguments, as the body, as { "args": [] } or as ?args=[]' };

/** Reads the arguments of a request. Undefined if it has no list of them. */
async function readArguments<A extends unknown[]>(request: Request): Promise<A | undefined> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const text = isRead ? new URL(request.url).searchParams.get('args') : await request.text();
  const isList = (value: unknown): value is A => Array.isArray(value);
  try {
    const value: unknown = JSON.parse(text || '[]');
    const args = typeof value === 'object' && value !== null && 'args' in value ? value.args : value;
    return isList(args) ? args : undefined;
  } catch {
    return undefined;
  }
}
