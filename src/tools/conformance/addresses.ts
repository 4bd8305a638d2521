import { isObject } from '#engine/lib/objects.js';

type Json = Readonly<Record<string, unknown>>;

/** The types of vals that serve HTTP. */
const HTTP_TYPES: readonly unknown[] = ['http', 'httpnext', 'express'];

/** The web addresses of a record in their documented forms, by what it is. @param base URL of the service @returns undefined for a val without an author */
export const ADDRESSES: Readonly<Record<string, (record: Json, base: string) => Json | undefined>> = {
  user: ({ id, username }, base) => ({
    url: `https://val.town/u/${username ?? id}`,
    links: { self: `${base}/v1/users/${id}` },
  }),
  val({ id, name, version, type, author }, base) {
    if (!isObject(author)) return undefined;
    const handle = author.username ?? author.id;
    const self = `${base}/v1/vals/${id}`;
    return {
      url: `https://val.town/v/${handle}/${name}`,
      links: {
        ...{ self, versions: `${self}/versions`, module: `https://esm.town/v/${handle}/${name}?v=${version}` },
        ...(HTTP_TYPES.includes(type) && { endpoint: `https://${`${handle}-${name}`.toLowerCase()}.web.val.run` }),
      },
    };
  },
};
