import { type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Send {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds after which the client cuts the connection. */
  readonly patience?: number;
}

/** Sends a request on a connection of its own. Undefined if there is no whole response. */
function send({ method, url, headers, body, patience = 10_000 }: Send): Promise<Reply | undefined> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const options = {
      method,
      agent: false as const,
      headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
    };
    const sent = request(url, options, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        received += chunk;
      });
      response.on('error', () => finish(undefined));
      response.on('close', () => finish(undefined));
      response.on('end', () =>
        finish(
          response.complete
            ? { status: response.statusCode ?? 0, headers: response.headers, text: received }
            : undefined,
        ),
      );
    });
    const timer = setTimeout(() => {
      sent.destroy();
      finish(undefined);
    }, patience);
    sent.on('error', () => finish(undefined));
    sent.end(text);

    function finish(reply: Reply | undefined): void {
      clearTimeout(timer);
      resolve(reply);
    }
  });
}

/** How clients reach nodes. */
export interface Network {
  /** Undefined if there is no whole response. */
  send(request: Send): Promise<Reply | undefined>;
  sleep(milliseconds: number): Promise<unknown>;
  /** Milliseconds on one clock. */
  now(): number;
}

/** The network of this machine. */
export const LOOPBACK: Network = { send, sleep, now: () => performance.now() };

/** The path of a sandbox. Empty for the default one. */
export const prefixOf = (sandbox: string): string => (sandbox === '' ? '' : `/_sandbox/${sandbox}`);

/** Reads a document. @throws Error for another status than 200 */
export async function read(url: string, network = LOOPBACK): Promise<string> {
  const reply = await network.send({ method: 'GET', url });
  if (reply?.status !== 200) throw new Error(`GET ${url}: ${reply ? `${reply.status} ${reply.text}` : 'no response'}`);
  return reply.text;
}

/** Resolves when the emulator, or one behind the balancer, is healthy. @throws Error if it takes too long */
export async function untilHealthy(base: string, network = LOOPBACK, patience = 20_000): Promise<void> {
  const end = network.now() + patience;
  let last = 'no response';
  while (network.now() < end) {
    const reply = await network.send({ method: 'GET', url: `${base}/_emulator/health`, patience: 500 });
    if (reply?.status === 200) return;
    if (reply) last = reply.text;
    await network.sleep(50);
  }
  throw new Error(`${base} did not become healthy within ${patience} ms: ${last}`);
}
