import * as z from 'zod';
import { toTimestamp } from '../domain/clock.js';
import { countLikes } from '../domain/likes.js';
import { countReferences } from '../domain/references.js';
import type { State } from '../domain/state.js';
import { authorOf, type User } from '../domain/users.js';
import { PRIVACIES, VAL_TYPES, type Val, valOf } from '../domain/vals.js';
import type { Version } from '../domain/versions.js';
import { named } from './components.js';
import { LIMITS, text, uuid } from './fields.js';
import { Json } from './json.js';
import { allImports, allLikes, eachUser, eachVal, kept } from './kept.js';
import type { Links } from './links.js';
import { Author, authorView, handleOf } from './users.js';

export const ValPath = z.object({ val_id: uuid.describe('Id of a val') });

/** A name that a val can be given. */
export const ValName = text(1, LIMITS.name).regex(/^[a-zA-Z][a-zA-Z0-9_]*$/);
export const Code = text(1, LIMITS.code);

/** What the author of a val sets beside its code. */
export const ValSettingsBody = named(
  'ValSettings',
  z.object({
    name: ValName.optional(),
    readme: text(0, LIMITS.readme).optional(),
    privacy: z.enum(PRIVACIES).optional(),
    type: z.enum(['httpnext', 'http', 'script', 'email']).optional(),
  }),
);

/** Code and, if wanted, settings: the body that makes a val, or a version. */
export const NewCode = named('NewCode', ValSettingsBody.extend({ code: Code }));

/** A val in a list. Published clients refuse any other key and require each of these. */
export const BasicVal = named(
  'BasicVal',
  z.strictObject({
    name: z.string(),
    id: z.guid(),
    version: z.int().min(0).describe('The latest, or the one that was asked for'),
    code: z.string().nullable(),
    public: z.boolean().describe('Whether privacy is public'),
    createdAt: z.iso.datetime(),
    privacy: z.enum(PRIVACIES),
    type: z.enum(VAL_TYPES),
    url: z.url(),
    links: z.strictObject({
      self: z.url(),
      versions: z.url(),
      module: z.url().describe('What code imports it by'),
      endpoint: z.url().optional().describe('Where vals of the types http, httpnext and express answer'),
    }),
    author: Author.nullable(),
  }),
);

/** A val by itself. */
export const ExtendedVal = named(
  'ExtendedVal',
  BasicVal.extend({
    likeCount: z.int().min(0),
    referenceCount: z.int().min(0).describe('Public vals that import it'),
    readme: z.string().nullable().describe('Markdown'),
    versionCreatedAt: z.iso.datetime().describe('When the version was made that is shown'),
  }),
);

/** Types of vals that answer at an address of their own. */
const SERVED: ReadonlySet<string> = new Set(['http', 'httpnext', 'express']);

function basicView(version: Version, val: Val, author: User, base: string) {
  const handle = handleOf(author);
  const self = `${base}/v1/vals/${val.id}`;
  return {
    name: val.name,
    id: val.id,
    version: version.version,
    code: version.code,
    public: val.privacy === 'public',
    createdAt: toTimestamp(val.createdAt),
    privacy: val.privacy,
    type: val.type,
    url: `https://val.town/v/${handle}/${val.name}`,
    links: {
      self,
      versions: `${self}/versions`,
      module: `https://esm.town/v/${handle}/${val.name}?v=${version.version}`,
      ...(SERVED.has(val.type) ? { endpoint: `https://${`${handle}-${val.name}`.toLowerCase()}.web.val.run` } : {}),
    },
    author: authorView(author),
  };
}

const writeBasic = kept(
  [eachUser],
  (state: State, val: Val) => [authorOf(state, val)],
  (val, author, base) => Json.of(basicView(val.latest, val, author, base)),
);

const writeExtended = kept(
  [eachVal, eachUser, allLikes, allImports],
  (state: State, version: Version) => {
    const val = valOf(state, version);
    const author = authorOf(state, val);
    return [val, author, countLikes(state, val), countReferences(state, val, author)] as const;
  },
  (version, val, author, likeCount, referenceCount, base) =>
    Json.of(
      // Not spread, which is slow in Node 20 where it adds fields: see docs/decisions/0008.
      Object.assign(basicView(version, val, author, base), {
        likeCount,
        referenceCount,
        readme: val.readme,
        versionCreatedAt: toTimestamp(version.createdAt),
      }),
    ),
);

/** A val in a list. */
export const basicValView = (state: State, val: Val, links: Links) => writeBasic(state, val, links.base);

/** The val as it is now, with the code of the latest version or of another one. */
export const extendedValView = (state: State, val: Val, links: Links, version: Version = val.latest) =>
  writeExtended(state, version, links.base);
