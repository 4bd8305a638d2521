import { type TSchema, Type } from 'typebox';

/** How to read all pages: by the parameters, or by the link to the next page. */
const PAGINATION = {
  limit: '$request.query.limit',
  offset: '$request.query.offset',
  items: '$response.body#/data',
  next: '$response.body#/links/next',
};

export const isPaged = (query: TSchema | undefined): boolean => Type.IsObject(query) && 'offset' in query.properties;

export const findPagination = ({ query }: { readonly query?: TSchema }) => (isPaged(query) ? PAGINATION : undefined);
