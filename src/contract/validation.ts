import type * as z from 'zod';
import { badRequest } from '../domain/errors.js';
import { Json } from './json.js';
import type { Route } from './route.js';

/** Holds the answer of a route against its schema. Throws the 500. */
export function checkAnswer({ answer }: Route<never>, value: unknown): void {
  answer.parse(value instanceof Json ? JSON.parse(value.text) : value);
}

/** The parts of a request as the API's messages call them. */
const PART_NAMES: Readonly<Record<string, string>> = { params: 'params', query: 'querystring', body: 'body' };

/** What `schema` makes of the parts of a request. Throws the 400 that names the first thing wrong. */
export function parseRequest<S extends z.ZodType>(schema: S, parts: unknown): z.output<S> {
  // Options cost as much as the rest, so what is wrong is asked for only where something is.
  const result = schema.safeParse(parts);
  if (result.success) return result.data;
  const error = schema.safeParse(parts, { reportInput: true }).error ?? result.error;
  // A missing property is reported before a wrong one, as the real service's validator does.
  const issue = error.issues.find(isMissing) ?? error.issues[0];
  throw badRequest(issue ? sentenceFor(issue) : error.message, 'FST_ERR_VALIDATION');
}

const isMissing = (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.input === undefined;

/** The issue in the words of the real service's validator: `body/name must match pattern "^[a-z]$"`. */
function sentenceFor(issue: z.core.$ZodIssue): string {
  const [part = '', ...path] = issue.path.map(String);
  const name = PART_NAMES[part] ?? part;
  if (isMissing(issue) && path.length > 0) {
    return `${[name, ...path.slice(0, -1)].join('/')} must have required property '${path.at(-1)}'`;
  }
  return `${[name, ...path].join('/')} ${complaintOf(issue)}`;
}

function complaintOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected === 'int' ? 'integer' : issue.expected}`;
    case 'too_small':
      return issue.origin === 'string'
        ? `must NOT have fewer than ${issue.minimum} characters`
        : `must be >= ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must NOT have more than ${issue.maximum} characters`
        : `must be <= ${issue.maximum}`;
    case 'invalid_format':
      if (issue.format === 'regex') return `must match pattern "${issue.pattern?.replace(/^\/|\/[a-z]*$/g, '')}"`;
      return `must match format "${FORMAT_NAMES[issue.format] ?? issue.format}"`;
    case 'invalid_value':
      return 'must be equal to one of the allowed values';
    // A union says what it takes in words of its own.
    case 'invalid_union':
      return `must be ${issue.message}`;
    case 'unrecognized_keys':
      return `must NOT have additional properties: ${issue.keys.join(', ')}`;
    default:
      return issue.message;
  }
}

/** Formats by their names in JSON Schema. */
const FORMAT_NAMES: Readonly<Record<string, string>> = { guid: 'uuid', datetime: 'date-time', url: 'uri' };
