const LINKS = /"links"\s*:\s*\{(?:[^{}"]|"(?:\\.|[^"\\])*")*\}/g;

/**
 * Leads the links of a response through the proxy. Only the values of `links` change: code and readmes of vals may name the
 * service too. (Within a string the quotes of such a key have backslashes.)
 * @param from base of the upstream. @param to base of the proxy
 */
export const leadLinks = (json: string, from: string, to: string): string =>
  json.replace(LINKS, (links) => links.replaceAll(`"${from}/`, `"${to}/`));

/** Leads a redirect within the upstream through the proxy. Another one stays unchanged. */
export const leadLocation = (location: string, from: string, to: string): string =>
  location === from || location.startsWith(`${from}/`) ? to + location.slice(from.length) : location;
