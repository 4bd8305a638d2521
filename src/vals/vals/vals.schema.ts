import { Type } from 'typebox';
import { toTimestamp } from '#engine/lib/time.js';
import { Choice, Id, Nullable, Timestamp, Url, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import type { Context } from '#vals/lib/route.schema.js';
import { countLikes } from '#vals/reactions/reactions.rules.js';
import { PRIVACIES, type User, VAL_TYPES, type Val, type Version } from '#vals/service/service.collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { Author, authorView } from '#vals/users/users.schema.js';
import { countReferences } from './references.rules.js';
import { getAuthor } from './val-records.collection.js';

export const ValPath = Type.Object({ val_id: uuid('Id of a val') });

export const ValName = Type.String({
  minLength: 1,
  maxLength: API_LIMITS.name,
  pattern: '^[a-zA-Z][a-zA-Z0-9_]*$',
  description: 'Unique among the vals of its author, ignoring case',
});
export const Code = Type.String({ minLength: 1, maxLength: API_LIMITS.code, description: 'TypeScript' });

export const Privacy = Choice(PRIVACIES, { title: 'Privacy' });
const ValType = Choice(VAL_TYPES, { title: 'ValType' });
const NewValType = Choice(['httpnext', 'http', 'script', 'email'], { title: 'NewValType' });

const settings = {
  name: Type.Optional(ValName),
  readme: Type.Optional(Type.String({ maxLength: API_LIMITS.readme, description: 'Markdown' })),
  privacy: Type.Optional(Privacy),
  type: Type.Optional(NewValType),
};

export const ValSettingsBody = Type.Object(settings, { title: 'ValSettings' });

/** The body that creates a val or a version: code and optional settings. */
export const NewCode = Type.Object({ ...settings, code: Code }, { title: 'NewCode' });

const basic = {
  name: Type.String(),
  id: Id,
  version: Type.Integer({ minimum: 0, description: 'The latest version, or the requested one' }),
  code: Nullable(Type.String()),
  public: Type.Boolean({ description: 'Whether privacy is public' }),
  createdAt: Timestamp,
  privacy: Privacy,
  type: ValType,
  url: Url,
  links: record('ValLinks', {
    self: Url,
    versions: Url,
    module: Type.String({ format: 'uri', description: 'The address for imports' }),
    endpoint: Type.Optional(
      Type.String({ format: 'uri', description: 'The endpoint of vals of the types http, httpnext and express' }),
    ),
  }),
  author: Nullable(Author),
};

/** A val in a list. Published clients require exactly these keys. */
export const BasicVal = record('BasicVal', basic);

export const ExtendedVal = record('ExtendedVal', {
  ...basic,
  likeCount: Type.Integer({ minimum: 0 }),
  referenceCount: Type.Integer({ minimum: 0, description: 'Number of public vals that import it' }),
  readme: Type.Union([Type.String(), Type.Null()], { description: 'Markdown' }),
  versionCreatedAt: Type.String({ format: 'date-time', description: 'Creation time of the version shown' }),
});

const HTTP_TYPES: ReadonlySet<string> = new Set(['http', 'httpnext', 'express']);

const basicView = (version: Version, val: Val, author: User, base: string) => {
  const handle = getHandle(author);
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
      ...(HTTP_TYPES.has(val.type) ? { endpoint: `https://${`${handle}-${val.name}`.toLowerCase()}.web.val.run` } : {}),
    },
    author: authorView(author),
  };
};

const listedView = (val: Val, author: User, base: string) => basicView(val.latest, val, author, base);

const extendedView = (version: Version, val: Val, author: User, likes: number, references: number, base: string) =>
  Object.assign(basicView(version, val, author, base), {
    likeCount: likes,
    referenceCount: references,
    readme: val.readme,
    versionCreatedAt: toTimestamp(version.createdAt),
  });

type ViewContext = Pick<Context, 'json' | 'links' | 'state'>;

/** A val in a list. */
export const basicValJson = (context: ViewContext, val: Val) =>
  context.json(listedView, val, context, () => [getAuthor(context.state, val), context.links.base]);

/** A val with the code of its latest version, or of another one. */
export function extendedValJson(context: ViewContext, val: Val, version: Version = val.latest) {
  const { state, json, links } = context;
  return json(extendedView, version, context, () => {
    const author = getAuthor(state, val);
    return [val, author, countLikes(state, val), countReferences(state, val, author), links.base];
  });
}
