import type { Route, Rules } from './route.js';

/** What the statuses of errors mean. */
export const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request does not fit its schema',
  401: 'No token where one is needed, or one that nobody holds',
  403: 'From a host or a page that may not use the control plane',
  404: 'It is missing, or not for the caller to see or change',
  409: 'Another val of the author has this name',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'What was sent is of the right shape, but not true of the data',
  429: 'The rate limit is used up. Only with the option rateLimit',
  503: 'There are too many sandboxes',
};

const SOURCES: readonly (readonly [keyof Rules, string])[] = [
  ['specified', 'From the specification'],
  ['record', 'From the public record of the service'],
  ['chosen', 'Chosen here, since nobody says'],
];

/** The rules by where they come from, as Markdown. */
export const describeRules = (rules: Rules): string =>
  SOURCES.flatMap(([source, title]) => {
    const sentences = rules[source] ?? [];
    return sentences.length === 0 ? [] : [`**${title}**\n\n${sentences.map((text) => `- ${text}`).join('\n')}`];
  }).join('\n\n');

const singular = (noun: string) => noun.replace(/(?:(x)es|([^as])s)$/, '$1$2');

/** The method and the nouns of the path: `getValVersions`. A noun that a parameter follows is one of many. */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const segments = path.split('/').slice(2);
  const nouns = segments.flatMap((segment, i) => {
    const isFollowed = segments[i + 1]?.startsWith('{') ?? false;
    if (!segment.startsWith('{')) return isFollowed ? singular(segment) : segment.split(/\W/);
    // Of two parameters in a row the second has no noun before it.
    return segments[i - 1]?.startsWith('{') ? segment.slice(1).replace(/(?:_\w+)?\}$/, '') : [];
  });
  return method.toLowerCase() + nouns.map((noun) => noun.charAt(0).toUpperCase() + noun.slice(1)).join('');
}
