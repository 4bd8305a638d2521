import type { Route } from '../api/route.js';
import type { ApiRouter, Router } from '../api/router.js';
import { findSimilar, formatValue } from '../lib/messages.js';

/** Characters of a request for which a route is suggested: a comparison takes the square of them. */
const MAX_COMPARED = 200;
const MAX_LISTED = 3;

/**
 * Suggests the route of a path with or without a method, else a similar name or request: `GET /v1/val/123`.
 * @returns `Did you mean "GET /v1/vals/{val_id}"?`, or nothing
 */
export function suggestRoute(
  text: string,
  router: Router<Pick<Route, 'method' | 'path' | 'name' | 'takesRest'>>,
): string {
  if (text.length > MAX_COMPARED) return '';
  const [, method, path = ''] = /^(?:(\w+) )?(\/[^?]*)/.exec(text) ?? [];
  const methods = method === undefined ? router.routes.map((route) => route.method) : [method.toUpperCase()];
  const match = methods.map((each) => router.match(each, path)).find((found) => found !== undefined);
  const [requested = ''] = text.split('?');
  const parts = requested.split('/');
  // With the parameters of the request, if it has as many segments.
  const fill = (name: string): string => {
    const segments = name.split('/');
    const isFilled = segments.length === parts.length && !requested.includes('{');
    return isFilled ? segments.map((part, i) => (part.startsWith('{') ? parts[i] : part)).join('/') : name;
  };
  const names = new Map(router.names.map((name) => [fill(name), name]));
  const near = [...names.keys()].filter((name) => isNear(parts.slice(1), name.split('/').slice(1)));
  const name = match?.route.name ?? names.get(findSimilar(requested, near)[0] ?? '');
  return name === undefined ? '' : `Did you mean ${formatValue(name)}?`;
}

/** Compares paths without their common prefix, whose length would hide a different last word. */
function isNear(requested: readonly string[], name: readonly string[]): boolean {
  const end = requested.findIndex((part, i) => part !== name[i]);
  const rest = requested.slice(end).join('/');
  const other = name.slice(end).join('/');
  const isPart = rest.startsWith(other) || other.startsWith(rest) || other.endsWith(`/${rest}`);
  const isOther = requested.length === name.length && requested.some((part, i) => !isAlike(part, name[i]));
  return isPart || (!isOther && findSimilar(rest, [other]).length > 0);
}

const isAlike = (requested = '', name = ''): boolean =>
  (requested.startsWith('{') && name.startsWith('{')) || findSimilar(requested, [name]).length > 0;

/** Lists the shortest routes of a method with the longest prefix of a path: `Similar: GET /v1/me, GET /v1/me/likes.` Empty for none. */
export function listRoutesBelow(text: string, { names }: ApiRouter): string {
  const [requested = ''] = text.split('?');
  const parts = requested.split('/');
  // The first segment is the same for most routes.
  for (let length = parts.length - 1; length > 2; length--) {
    const prefix = parts.slice(0, length);
    const isBelow = (name: string) => {
      const segments = name.split('/');
      return prefix.every((part, i) => segments[i] === part || segments[i]?.startsWith('{'));
    };
    const below = names.filter(isBelow).sort((a, b) => a.length - b.length);
    if (below.length > 0) return formatSimilar(below);
  }
  return '';
}

const formatSimilar = (names: readonly string[]): string => `Similar: ${names.slice(0, MAX_LISTED).join(', ')}.`;

/**
 * Lists routes that share words with a message; the most shared words first, exact ones before similar ones, then the shortest route: `Similar: POST /v1/vals, POST /v1/email.`
 * Without any, it says how a route is named.
 */
export function listSimilarRoutes(text: string, { names, handshake }: ApiRouter): string {
  const wanted = splitWords(text);
  const count = (name: string) => wanted.filter((word) => findSimilar(word, splitWords(name)).length > 0).length;
  const countExact = (name: string) => wanted.filter((word) => splitWords(name).includes(word)).length;
  const called = names.filter((name) => !handshake.includes(name)).sort((a, b) => a.length - b.length);
  const counted = called.map((name) => ({ name, words: count(name), exact: countExact(name) }));
  const found = counted.filter(({ words }) => words > 0);
  const similar = found.sort((a, b) => b.words - a.words || b.exact - a.exact);
  if (similar.length === 0) return `A route is a method and a path, such as ${called[0]}.`;
  return formatSimilar(similar.map(({ name }) => name));
}

const splitWords = (route: string): string[] => route.split(/[ /]/).filter((word) => /\w/.test(word));
