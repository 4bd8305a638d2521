/** Names and descriptions of the responses of errors of the API that differ from those of the control API. */
export const API_ERRORS: typeof ERRORS = {
  403: { name: 'Forbidden', description: 'The token lacks the scope of the operation' },
};

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
  409: { name: 'Conflict', description: 'Another record has this name, or a confirmation is missing' },
  412: { name: 'PreconditionFailed', description: 'The resource does not meet a condition of the request' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json' },
  422: { name: 'Unprocessable', description: 'Well-formed, but invalid for the current data' },
  429: { name: 'TooManyRequests', description: 'Rate limit exceeded. Only with the option rateLimit' },
  507: { name: 'InsufficientStorage', description: 'The data have no more room in memory' },
  503: {
    name: 'ServiceUnavailable',
    description: 'Sandbox limit reached, or the limit of open streams or of unread bytes',
  },
};
