import type { DateInput } from '#engine/clock/clock.js';
import { toJson } from '#engine/control/send.js';
import type { RequestFilter } from '#vals/service/types.js';

/** Writes a time as the control API reads it. It refuses the null that JSON has for an invalid date. */
export const toTime = (time: DateInput): string => (typeof time === 'string' ? time : new Date(time).toJSON());

/** Checks that the values of a query are JSON. A matcher is a function, which cannot be sent. */
export const toQueryTexts = (values: object): object => JSON.parse(toJson(values));

/** Writes the criteria that are objects as JSON, as the query of a URL has them. */
export function toRequestQuery({ headers, query, params, body, responseHeaders, duration, ...others }: RequestFilter) {
  const texts = Object.entries({ headers, query, params, body, responseHeaders, duration });
  const given = texts.filter(([, value]) => value !== undefined);
  return { ...others, ...Object.fromEntries(given.map(([name, value]) => [name, toJson(value)])) };
}
