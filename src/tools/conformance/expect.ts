import type { ErrorObject, SchemaValidateFunction } from 'ajv';
import { findDifferences, formatDifference, takeFirst } from '#engine/lib/matching.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { parseInstant } from '#engine/lib/time.js';
import { createAjv } from '#engine/schema/ajv.js';
import { ADDRESSES, type AddressContext } from './addresses.js';
import type { Expectation, JsonSchema } from './case.js';
import type { Reply } from './remote-service.js';
import { listItems, type Values } from './values.js';

/** Compares responses with expectations. */
export class Expecter {
  // An unknown keyword is an error: it would check nothing.
  readonly #ajv = createAjv('response', { strictSchema: true, validateSchema: true, meta: true, verbose: true });
  readonly #base: string;

  /** @param base URL of the service, with which its links begin */
  constructor(base: string) {
    this.#base = base;
    this.#ajv.addKeyword({
      keyword: 'addresses',
      type: 'object',
      schemaType: 'object',
      validate: checkAddresses(base),
      errors: 'full',
    });
  }

  /**
   * Lists the problems of a response. Empty if it is as expected.
   * @param before the response to the request before it
   * @throws MissingValueError for an expectation of something that the account lacks
   */
  findProblems(reply: Reply, expected: Expectation, values: Values, before?: Reply): string[] {
    const { status, headers = {}, body, hex, isLikeGet, equals, listed, latestFirst, links = {} } = expected;
    const get = isLikeGet && before;
    const statuses = [status ?? get?.status ?? reply.status].flat();
    if (!statuses.includes(reply.status)) {
      return [`expected the status ${statuses.join(' or ')}, found ${reply.status}`];
    }
    return [
      ...Object.entries(headers).flatMap(([name, pattern]) => checkHeader(reply, name, pattern)),
      ...(body === 'none' && reply.text !== '' ? [`expected no body, found ${formatValue(reply.text)}`] : []),
      ...(hex === undefined ? [] : checkBytes(reply, Buffer.from(hex, 'hex'))),
      ...(get ? checkHead(reply, get) : []),
      ...(isObject(body) ? this.#checkSchema(body, reply.json, values) : []),
      ...(equals === undefined ? [] : compare(reply.json, values.find(equals), `the earlier response ${equals}`)),
      ...(listed ? this.#checkList(reply, listed, values) : []),
      ...(latestFirst === undefined ? [] : checkOrder(reply, latestFirst)),
      ...Object.entries(links).flatMap(([name, parameters]) =>
        checkLink(reply, name, values.fillAll(parameters), this.#base),
      ),
    ];
  }

  #checkSchema(schema: JsonSchema, value: unknown, values: Values): string[] {
    const filled = values.fillAll(schema);
    if (!isObject(filled)) return [];
    if (value === undefined) return ['expected JSON, found none'];
    const validate = this.#ajv.compile(filled);
    return validate(value) ? [] : describeErrors(validate.errors ?? []);
  }

  #checkList(reply: Reply, listed: NonNullable<Expectation['listed']>, values: Values): string[] {
    const { of, where, offset = 0, limit } = listed;
    const saved = values.find(of);
    const filter = where && values.fillAll(where);
    const isMatch = isObject(filter) ? this.#ajv.compile(filter) : () => true;
    const matches = listItems(saved).filter((item) => isMatch(item));
    const wanted = matches.slice(offset, limit === undefined ? undefined : offset + limit);
    const found = listItems(reply.json);
    // Of a list with more pages, only the first ones are known.
    const isWhole = !hasNext(saved) || (limit !== undefined && wanted.length === limit);
    if (isWhole && found.length !== wanted.length) {
      return [`expected ${wanted.length} items, found ${found.length}`];
    }
    return wanted.flatMap((item, i) => compare(found[i], item, `item ${i + offset} of the whole list`)).slice(0, 1);
  }
}

/** What a record is whose web addresses are compared. */
interface Addressed extends Omit<AddressContext, 'base'> {
  readonly of: string;
}

function checkHeader({ headers }: Reply, name: string, pattern: string | null): string[] {
  const value = headers.get(name);
  if (pattern === null) return value === null ? [] : [`expected no header ${name}, found ${formatValue(value)}`];
  if (value !== null && new RegExp(pattern, 'i').test(value)) return [];
  return [`expected a header ${name} that matches ${pattern}, found ${describeHeader(value)}`];
}

const describeHeader = (value: string | null): string => (value === null ? 'none' : formatValue(value));

function checkBytes({ bytes }: Reply, wanted: Uint8Array): string[] {
  if (Buffer.compare(bytes, wanted) === 0) return [];
  const [one, other] = [wanted, bytes].map((each) => formatValue(Buffer.from(each).toString('hex')));
  return [`expected the bytes ${one}, found ${other}`];
}

/** Checks the headers of a HEAD that describe the body of the GET. It may leave out the length. */
function checkHead({ headers }: Reply, get: Reply): string[] {
  const names = [
    'content-type',
    'access-control-allow-origin',
    ...(headers.has('content-length') ? ['content-length'] : []),
  ];
  return names.flatMap((name) => {
    const [found, wanted] = [headers.get(name), get.headers.get(name)];
    return found === wanted
      ? []
      : [`expected the ${name} of the GET, ${describeHeader(wanted)}, found ${describeHeader(found)}`];
  });
}

/** Makes the keyword of a schema that compares the web addresses of a record. Its value has a kind of {@link ADDRESSES}. */
function checkAddresses(base: string): SchemaValidateFunction {
  const check: SchemaValidateFunction = ({ of, ...others }: Addressed, record, _, context) => {
    const wanted = ADDRESSES[of]?.(record, { ...others, base });
    const found = Object.fromEntries(Object.keys(wanted ?? {}).map((key) => [key, record[key]]));
    const [first] = wanted ? findDifferences(wanted, found, '', { isExact: true }) : [];
    if (!first) return true;
    check.errors = [
      {
        ...{ keyword: 'const', params: { allowedValue: first.wanted }, data: first.found },
        instancePath: `${context?.instancePath ?? ''}/${first.path.replaceAll('.', '/')}`,
      },
    ];
    return false;
  };
  return check;
}

const compare = (found: unknown, wanted: unknown, name: string): string[] =>
  takeFirst(findDifferences(wanted, found, '', { isExact: true }), 1).map(
    (difference) => `differs from ${name}: ${formatDifference(difference)}`,
  );

const readLinks = (page: unknown): Readonly<Record<string, unknown>> =>
  isObject(page) && isObject(page.links) ? page.links : {};

const hasNext = (page: unknown): boolean => typeof readLinks(page).next === 'string';

function checkOrder({ json }: Reply, key: string): string[] {
  const keys = listItems(json).map((item) => (isObject(item) ? item[key] : undefined));
  const wrong = findDisorder(keys);
  if (wrong < 0) return [];
  return [
    `expected ${key} in descending order, found ${formatValue(keys[wrong])} after ${formatValue(keys[wrong - 1])}`,
  ];
}

/** Checks a link of a page: it leads to the path of the request. */
function checkLink({ json, target }: Reply, name: string, wanted: unknown, base: string): string[] {
  const link = readLinks(json)[name];
  if (wanted === null) return link === undefined ? [] : [`expected no link ${name}, found ${formatValue(link)}`];
  if (typeof link !== 'string' || !URL.canParse(link))
    return [`expected an absolute link ${name}, found ${formatValue(link)}`];
  const [path] = (base + target).split('?');
  if (link.split('?')[0] !== path) return [`expected a link ${name} to ${path}, found ${formatValue(link)}`];
  if (!isObject(wanted)) return [];
  const found = Object.fromEntries(new URL(link).searchParams);
  return compare(found, wanted, `the parameters of the link ${name}`);
}

/** Describes the errors of Ajv with the values that it found. The inner ones say more than the error of a union. */
function describeErrors(errors: readonly ErrorObject[]): string[] {
  const inner = errors.filter(({ keyword }) => !['anyOf', 'allOf', 'if'].includes(keyword));
  return (inner.length > 0 ? inner : errors).slice(0, 3).map(({ instancePath, keyword, params, message, data }) => {
    const at = `$${instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.')}`;
    if (keyword === 'additionalProperties')
      return `${at} has the key ${params.additionalProperty}, which is not documented`;
    if (keyword === 'required') return `${at} lacks the key ${params.missingProperty}`;
    const wanted = keyword === 'const' ? `must be ${formatValue(params.allowedValue)}` : message;
    return `${at} ${wanted}, found ${formatValue(data)}`;
  });
}

/** Finds the first key that is later than the one before it: a number, a time or a text. Returns -1 for none. */
const findDisorder = (keys: readonly unknown[]): number =>
  keys.findIndex((key, i) => i > 0 && isBefore(keys[i - 1], key));

function isBefore(first: unknown, second: unknown): boolean {
  if (typeof first === 'number' && typeof second === 'number') return first < second;
  const [one, two] = [first, second].map(String);
  return (parseInstant(one ?? '') ?? String(one)) < (parseInstant(two ?? '') ?? String(two));
}
