import { STATUS_CODES } from 'node:http';
import type { ApiRouter } from '../api/router.js';
import { exchangeId } from '../journal/exchange.js';
import { explain } from '../journal/explanation.js';
import { decodeBase64 } from '../lib/base64.js';
import { formatReasons } from '../lib/reasons.js';
import type { TextSteps } from '../lib/steps.js';
import { parseTarget } from '../lib/target.js';
import { toTimestamp } from '../lib/time.js';
import type { RecordedRequest, StoredBytes } from '../persistence/lines.js';
import { authorizationOf } from '../persistence/requests.js';
import { packageVersion } from '../platform/package.js';
import { recordRequests, type SessionSource } from './session.js';

// Loaded with the first recording in this format.

/**
 * Formats the journal of a sandbox in HAR 1.2, with the same redaction as a session.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 * @param base URL of the sandbox, to which the paths are added
 * @param router finds what a request to an unknown route may have meant
 */
export function* formatHar(source: SessionSource, base: string, router: ApiRouter): TextSteps {
  const exchanges = new Map(source.journal.exchanges.map((each) => [exchangeId(each), each]));
  const { requests, redactor } = yield* recordRequests(source);
  const creator = { name: 'val-emulator', version: packageVersion() };
  yield `${JSON.stringify({ log: { version: '1.2', creator, entries: [] } }).slice(0, -3)}\n`;
  for (const [i, request] of requests.entries()) {
    const exchange = exchanges.get(request.id);
    const comment = exchange && formatReasons(explain(exchange, router));
    yield `${i === 0 ? '' : ',\n'}${redactor.formatRequest(toHarEntry(request, base, comment))}`;
  }
  yield '\n]}}\n';
}

/** @param comment why it got its response */
function toHarEntry(request: RecordedRequest, base: string, comment = ''): object {
  const { id, at, method, path, status, headers, responseHeaders = {}, user, fault, commit, outcome } = request;
  const sent = { ...headers, ...authorizationOf(request) };
  const time = request.duration ?? 0;
  return {
    startedDateTime: toTimestamp(at),
    time,
    request: {
      ...{ method, url: base + path, httpVersion: 'HTTP/1.1', cookies: [], headers: listPairs(Object.entries(sent)) },
      queryString: listPairs(parseTarget(path).query ?? []),
      ...toPostData(request.requestBody, headers['content-type']),
      ...{ headersSize: -1, bodySize: -1 },
    },
    response: {
      ...{ status, statusText: STATUS_CODES[status] ?? '', httpVersion: 'HTTP/1.1', cookies: [] },
      headers: listPairs(Object.entries(responseHeaders)),
      content: toContent(request.responseBody, responseHeaders['content-type']),
      ...{ redirectURL: responseHeaders.location ?? '', headersSize: -1, bodySize: -1 },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(comment !== '' && { comment }),
    // The format reserves names with an underscore for the program that writes a file.
    ...{ _id: id, _user: user, _fault: fault, _commit: commit, _outcome: outcome ?? null },
  };
}

const listPairs = (pairs: Iterable<readonly [name: string, value: string]>): object[] =>
  Array.from(pairs, ([name, value]) => ({ name, value }));

type StoredBody = string | StoredBytes | undefined;

/** The format has no bytes in a request. */
function toPostData(body: StoredBody, mimeType = ''): object {
  if (body === undefined) return {};
  if (typeof body === 'string') return { postData: { mimeType, text: body } };
  return { postData: { mimeType, text: '', comment: `${countBytes(body)} bytes` } };
}

function toContent(body: StoredBody, mimeType = 'x-unknown'): object {
  if (body === undefined) return { size: 0, mimeType };
  if (typeof body === 'string') return { size: Buffer.byteLength(body), mimeType, text: body };
  return { size: countBytes(body), mimeType, text: body.base64, encoding: 'base64' };
}

const countBytes = ({ base64 }: StoredBytes): number => decodeBase64(base64)?.length ?? 0;
