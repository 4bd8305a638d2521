import type { Route, Rules } from '../../src/api/route.js';

/** Descriptions of the statuses of errors. */
export const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request does not match its schema',
  401: 'Missing or unknown token',
  403: 'Host or origin not allowed',
  404: 'Not found, or not accessible to the caller, or the sandbox of the request is closed',
  409: 'The author has another val with this name',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'Well-formed, but invalid for the current data',
  429: 'Rate limit exceeded. Only with the option rateLimit',
  503: 'Sandbox limit reached',
};

const SOURCES: readonly (readonly [keyof Rules, string])[] = [
  ['specification', 'From the specification'],
  ['record', 'From the public record of the service'],
  ['chosen', 'Chosen by this project, where no source says'],
];

/** Describes the rules by their source, as Markdown. */
export const describeRules = (rules: Rules): string =>
  SOURCES.flatMap(([source, title]) => {
    const sentences = rules[source] ?? [];
    return sentences.length === 0 ? [] : [`**${title}**\n\n${sentences.map((text) => `- ${text}`).join('\n')}`];
  }).join('\n\n');

const toSingular = (noun: string) => noun.replace(/(?:(x)es|([^as])s)$/, '$1$2');

/** Names an operation by its method and path: `getValVersions`. A noun before a parameter is singular. */
export function formatOperationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const segments = path.split('/').slice(2);
  const nouns = segments.flatMap((segment, i) => {
    const isFollowed = segments[i + 1]?.startsWith('{') ?? false;
    if (!segment.startsWith('{')) return isFollowed ? toSingular(segment) : segment.split(/\W/);
    // The second of two adjacent parameters follows no noun.
    return segments[i - 1]?.startsWith('{') ? segment.slice(1).replace(/(?:_\w+)?\}$/, '') : [];
  });
  return method.toLowerCase() + nouns.map((noun) => noun.charAt(0).toUpperCase() + noun.slice(1)).join('');
}
