import type { Reply } from '../remote/service.js';
import type { Difference } from './difference.js';

/** Headers of connections, servers, caches and intermediaries, which say nothing about the API. docs/proxy.md lists them. */
const IGNORED =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|date|server|via|age|vary|etag|last-modified|cache-control|expires|pragma|alt-svc|nel|report-to|reporting-endpoints|server-timing|set-cookie|strict-transport-security|referrer-policy|permissions-policy|content-security-policy|cross-origin-[\w-]+|x-(?:powered-by|request-id|response-time|content-type-options|frame-options|xss-protection|dns-prefetch-control|download-options|permitted-cross-domain-policies|served-by|cache|cache-hits|timer|runtime|amz-[\w-]+|amzn-[\w-]+|render-[\w-]+|railway-[\w-]+|vercel-[\w-]+|envoy-[\w-]+|cloud-trace-context)|cf-[\w-]+|fly-[\w-]+|origin-agent-cluster|traceparent|rndr-id)$/;

/** Headers whose values are compared as well, without parameters. */
const COMPARED = ['content-type'];

/** Compares the names of headers. */
export function* compareHeaders(upstream: Reply, emulator: Reply): Generator<Difference> {
  const names = new Set([...upstream.headers.keys(), ...emulator.headers.keys()]);
  for (const name of names) {
    if (IGNORED.test(name)) continue;
    const [theirs, ours] = [upstream, emulator].map(({ headers }) => headers.get(name) ?? undefined);
    const isOnOneSide = theirs === undefined || ours === undefined;
    if (isOnOneSide || (COMPARED.includes(name) && withoutParameters(theirs) !== withoutParameters(ours))) {
      yield { symptom: 'header', at: name, upstream: theirs, emulator: ours };
    }
  }
}

const withoutParameters = (value: string): string => value.replace(/;.*/s, '').trim().toLowerCase();
