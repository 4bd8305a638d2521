import { type Static, Type } from 'typebox';
import { Choice, Nullable } from '#engine/api/schemas/common.js';
import { controlRoute } from '#engine/control/route.js';
import { readText } from '#engine/lib/package-files.js';
import { mapOf, record, strictObject } from '#engine/lib/schema.js';

const Texts = Type.Array(Type.String());

const row = record('ConfidenceRow', {
  kind: Choice(['missing', 'route', 'collection', 'tool'], { description: 'What is missing responds with a 501' }),
  name: Type.String(),
  limit: Nullable(Type.String({ description: 'What cannot be tested with it' })),
  // Each is an axis, and nothing adds them up. The response says what they mean.
  ...{ recorded: Texts, client: Texts, engine: Texts, specification: Texts, record: Texts, chosen: Texts },
  cases: Type.Integer({ description: 'Cases of conformance that check it' }),
});
export interface ConfidenceRow extends Static<typeof row> {}

const confidence = record('Confidence', {
  axes: mapOf(Type.String({ description: 'What an axis means, by its name' })),
  engines: mapOf(Type.String({ description: 'What an engine proves, by its name' })),
  clients: mapOf(record('ConfidenceClient', { package: Type.String(), knows: Type.String(), lastRun: Type.String() })),
  rows: Type.Array(Type.Unsafe<ConfidenceRow>(row), { description: 'The least proven of each kind first' }),
});
export interface Confidence extends Static<typeof confidence> {}

/**
 * Reads what is made of the rules, the cases and the clients (scripts/docs/confidence.ts).
 * @param q part of the names of rows, in upper or lower case
 */
export function readConfidence(q = ''): Confidence {
  const found: Confidence = JSON.parse(readText('docs/confidence.json'));
  return { ...found, rows: found.rows.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())) };
}

export const confidenceRoutes = [
  controlRoute('GET', '/_emulator/confidence', 'Get what can be tested against the emulator, and what proves it', {
    id: 'getConfidence',
    query: strictObject({
      q: Type.Optional(Type.String({ description: 'Part of the names of rows, in upper or lower case' })),
    }),
    response: Type.Unsafe<Confidence>(confidence),
    errors: [400, 403],
    handle: ({ query: { q } }) => readConfidence(q),
  }),
];
