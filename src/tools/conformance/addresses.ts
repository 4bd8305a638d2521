import { isObject } from '#engine/lib/objects.js';

type Json = Readonly<Record<string, unknown>>;

/** The types of vals that serve HTTP. */
const HTTP_TYPES: readonly unknown[] = ['http', 'httpnext', 'express'];
const SITE = 'https://www.val.town/x';

/** The handle of the owner and the name of a project, as addresses have them. */
const slugOf = ({ author, name }: Json): string =>
  `${isObject(author) ? (author.username ?? author.id) : undefined}/${name}`;

/** What the addresses of a record contain in addition to its own fields. */
export interface AddressContext {
  /** URL of the service */
  readonly base: string;
  /** The project of a branch or a file. Default: an empty record */
  readonly project?: Json;
  /** The version of a file's branch. Default: the version of the file, as after its own change */
  readonly version?: unknown;
}

/**
 * The web addresses of a record in their documented forms, by what it is. Files are of the branch `main`.
 * Each returns undefined for a val without an author.
 */
export const ADDRESSES: Readonly<Record<string, (record: Json, context: AddressContext) => Json | undefined>> = {
  user: ({ id, username }, { base }) => ({
    url: `https://val.town/u/${username ?? id}`,
    links: { self: `${base}/v1/users/${id}` },
  }),
  val({ id, name, version, type, author }, { base }) {
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
  project: (record, { base }) => ({
    links: { self: `${base}/v2/vals/${record.id}`, html: `${SITE}/${slugOf(record)}` },
  }),
  branch: ({ id, name }, { base, project = {} }) => ({
    links: {
      self: `${base}/v2/vals/${project.id}/branches/${id}`,
      html: `${SITE}/${slugOf(project)}/branch/${encodeURIComponent(String(name))}`,
    },
  }),
  file({ id, path, type, ...file }, { base, project = {}, version = file.version }) {
    const slug = slugOf(project);
    const owner = slug.replace(/\/.*/s, '');
    const encoded = encodeURIComponent(String(path)).replaceAll('%2F', '/');
    const name = String(id).replaceAll('-', '');
    return {
      links: {
        self: `${base}/v2/files/${id}`,
        html: `${SITE}/${slug}/branch/main/code/${encoded}`,
        module: `https://esm.town/v/${slug}@${version}-main/${encoded}`,
        ...(type === 'http' && { endpoint: `https://${owner}--${name}.web.val.run/`.toLowerCase() }),
        ...(type === 'email' && { email: `${owner}.${name}@valtown.email`.toLowerCase() }),
      },
    };
  },
};
