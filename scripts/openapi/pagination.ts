import { type TSchema, Type } from 'typebox';

/** How to read all pages: by the parameters, or by the link to the next page. */
const PAGINATION = {
  limit: '$request.query.limit',
  offset: '$request.query.offset',
  items: '$response.body#/data',
  next: '$response.body#/links/next',
};

/** Whether a list has pages: by an offset, or by a window of time. */
export const isPaged = (query: TSchema | undefined): boolean => has(query, 'offset') || has(query, 'start');

const has = (query: TSchema | undefined, name: string): boolean => Type.IsObject(query) && name in query.properties;

export function findPagination({ query }: { readonly query?: TSchema }) {
  const { limit, offset, ...links } = PAGINATION;
  return isPaged(query) ? { limit, ...(has(query, 'offset') && { offset }), ...links } : undefined;
}
