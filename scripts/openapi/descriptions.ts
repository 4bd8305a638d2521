import type { Rules } from '#engine/api/route.js';

/** Names and descriptions of the responses of errors. */
export const ERRORS: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The request does not match its schema' },
  401: { name: 'Unauthorized', description: 'Missing or unknown token' },
  403: {
    name: 'Forbidden',
    description: 'Host or origin not allowed. A 429 after ten wrong control tokens in a minute',
  },
  404: {
    name: 'NotFound',
    description: 'Not found, not accessible to the caller, or the sandbox of the request is closed',
  },
  409: { name: 'Conflict', description: 'Another val of the author has this name, or a confirmation is missing' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json' },
  422: { name: 'Unprocessable', description: 'Well-formed, but invalid for the current data' },
  429: { name: 'TooManyRequests', description: 'Rate limit exceeded. Only with the option rateLimit' },
  507: { name: 'InsufficientStorage', description: 'Blobs, attachments and databases have no more room in memory' },
  503: {
    name: 'ServiceUnavailable',
    description: 'Sandbox limit reached, or the limit of open streams or of unread bytes',
  },
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
