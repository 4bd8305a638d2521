import { type Static, type TSchema, Type } from 'typebox';
import { expectTypeOf } from 'vitest';
import type { JsonValue } from '#engine/definition/parts.js';
import { strictObject } from '#engine/schema/schema.js';
import type { FixedSources, Phrases, Styles, ThemeFile } from '#vals/generator/themes.js';

const Texts = Type.Array(Type.String(), { minItems: 1 });
const Json = Type.Unsafe<JsonValue>({});
const Specs = Type.Record(Type.String(), Type.String());
const optional = Type.Optional;

export const SLOTS = [
  ...['blob', 'sqlite', 'email', 'openai', 'retry', 'fetchJson', 'slugify', 'formatDate', 'escapeHtml', 'chunk'],
  ...['shuffle', 'cached', 'rateLimit', 'auth', 'chat', 'feed', 'sparkline', 'page', 'counter', 'csv', 'weather'],
  ...['rate', 'summarize', 'dice', 'isUp', 'workday'],
];
const Slot = Type.Enum(SLOTS);

const Run = strictObject({
  when: optional(Type.String()),
  params: optional(Specs),
  ms: optional(Type.String()),
  args: optional(Type.Array(Json)),
  logs: optional(Type.Array(Json)),
  returns: optional(Json),
  emails: optional(Type.Array(Json)),
  emailsIfBelow: optional(Type.Tuple([Type.String(), Type.String()])),
});

const Templates = Type.Array(
  strictObject({
    type: Type.Enum(['http', 'interval', 'email', 'script', 'express', 'rpc']),
    names: Texts,
    provides: optional(Slot),
    needs: optional(Type.Array(Slot)),
    uses: optional(Type.Array(Slot)),
    params: optional(Specs),
    tweaks: optional(Texts),
    stages: Type.Integer({ minimum: 0 }),
    // Each line has a margin.
    code: Type.Array(Type.String({ pattern: '^[^|]*\\|' }), { minItems: 1 }),
    readme: optional(Type.Array(Type.String({ pattern: '^[^|]*\\|' }), { minItems: 1 })),
    bug: optional(strictObject({ error: Type.String(), from: optional(Type.Integer()) })),
    errors: optional(Texts),
    upstream: optional(Type.String()),
    runs: Type.Array(Run),
    every: optional(Texts),
    praise: optional(Texts),
    wishes: optional(
      Type.Array(strictObject({ stage: Type.Integer(), wish: Type.String(), reply: Type.String() }), { minItems: 1 }),
    ),
    popularity: optional(Type.Number()),
  }),
  { minItems: 1 },
);
export const Theme = strictObject({ name: Type.String(), bios: Texts, templates: Templates });
const More = strictObject({ templates: Templates });

const PhrasesSchema = strictObject({
  ...{ bios: Texts, praise: Texts, reports: Texts, repairs: Texts, mentions: Texts, thanks: Texts, outages: Texts },
  praiseOfType: strictObject({
    ...{ interval: Texts, http: Texts, express: Texts, email: Texts, script: Texts, rpc: Texts, httpnext: Texts },
  }),
  questions: Type.Record(Type.String(), Type.String()),
});
const SourcesSchema = strictObject({
  companySuffixes: Texts,
  sources: Type.Record(
    Type.String(),
    Type.Array(
      Type.Union([
        Type.String(),
        Type.Unsafe<Readonly<Record<string, string | number>> & { readonly name: string }>({
          type: 'object',
          required: ['name'],
          additionalProperties: { type: ['string', 'number'] },
        }),
      ]),
    ),
  ),
});
const StylesSchema = strictObject({
  requestNames: Texts,
  emailNames: Texts,
  handlers: Type.Array(Type.Record(Type.String(), Type.String()), { minItems: 1 }),
});

/** The schemas of the other files. */
export const OTHERS: Readonly<Record<string, TSchema>> = {
  ...{ common: More, scratch: More, standard: More },
  ...{ phrases: PhrasesSchema, sources: SourcesSchema, styles: StylesSchema },
};

// The compiler compares them with the types of the generator.
expectTypeOf<Static<typeof Theme>>().toExtend<ThemeFile>();
expectTypeOf<Static<typeof PhrasesSchema>>().toExtend<Phrases>();
expectTypeOf<Static<typeof SourcesSchema>>().toExtend<FixedSources>();
expectTypeOf<Static<typeof StylesSchema>>().toExtend<Styles>();
