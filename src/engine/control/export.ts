import { Type } from 'typebox';
import type { AnyDefinition } from '../definition/define.js';
import {
  type Definitions,
  findRecord,
  getDefinition,
  getRecords,
  listTargets,
  mapCollections,
  setRecords,
} from '../definition/definitions.js';
import { writeState } from '../fixtures/export-options.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { At, getStateAt } from '../sandbox/history-entries.js';
import { record, strictObject } from '../schema/schema.js';
import { fork, type State } from '../state/state.js';
import { controlRoute, forPage } from './route.js';
import { toExported } from './state.js';

/** Ids of a collection: others wait while their records are collected. */
export const MAX_SELECTED = 10_000;

function describeIds({ plural, schema, identity, references }: AnyDefinition): string {
  if ('id' in schema.properties) return plural;
  if (identity.sortKeys.length > 1) return `${plural}, as in a list of records`;
  const owners = Object.values(references).map(({ to }) => to);
  return owners.length > 0 ? `${plural}, which are the ids of their ${owners.join(' or ')}` : plural;
}

const makeIds = (definition: AnyDefinition) =>
  Type.Array(Type.String(), {
    default: [],
    maxItems: MAX_SELECTED,
    expected: `a list of at most ${MAX_SELECTED} ids; GET /_emulator/state exports all records`,
    description: `Ids of ${describeIds(definition)}, at most 10,000`,
  });

type Ids = ReturnType<typeof makeIds>;
const toSelection = ({ all }: Definitions) =>
  strictObject(
    { ...mapCollections<Record<string, Ids>, AnyDefinition>(all, makeIds), at: At },
    { title: 'Selection', default: {} },
  );

/**
 * Makes a state of the selected records and those that they refer to: authors, vals with their latest versions, versions
 * and parents of runs.
 * @throws OptionsError for unknown ids; at most 20 are listed
 */
function selectRecords(state: State, ids: Readonly<Record<string, readonly string[]>>): State {
  const problems: Problem[] = [];
  const selected = new Map(state.definitions.names.map((name) => [name, new Set<object>()]));
  const rest: [collection: string, record: object][] = [];
  for (const definition of state.definitions.all) {
    const { name } = definition;
    for (const [i, id] of (ids[name] ?? []).entries()) {
      const record = findRecord(state, definition, id);
      if (record !== undefined) rest.push([name, record]);
      else problems.push({ path: `${name}[${i}]`, message: `there is no record ${formatValue(id)} in ${name}.` });
    }
  }
  if (problems.length > 0) throw new OptionsError(problems.slice(0, MAX_PROBLEMS));
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [name, record] = next;
    const known = selected.get(name);
    if (!known || known.has(record)) continue;
    known.add(record);
    const { references, related } = getDefinition(state.definitions, name);
    for (const reference of Object.values(references)) {
      const id = reference.id(record);
      if (id === undefined) continue;
      for (const to of listTargets(reference)) {
        const other = getRecords(state, to).get(id);
        if (other) rest.push([to, other]);
      }
    }
    for (const [collection, other] of related?.(state, record) ?? []) rest.push([collection, other]);
  }
  const draft = fork(state);
  for (const { name, collect } of state.definitions.all)
    setRecords(draft, name, collect([...(selected.get(name) ?? [])]));
  return draft;
}

const MAX_PROBLEMS = 20;

export const makeExportRoutes = (definitions: Definitions) => [
  forPage(
    controlRoute(
      'POST',
      '/_emulator/export',
      'Export records and those that they refer to as fixtures, without tokens',
      {
        id: 'exportRecords',
        body: toSelection(definitions),
        response: record('ExportedRecords', toExported(definitions)),
        errors: [400, 403, 404, 422],
        example: { body: { users: ['be0f9326-7a56-5ddf-8ad9-27db3ddc9a4f'] } },
        handle({ sandbox, body: { at, ...ids } }) {
          const { state, time = sandbox.clock.now.getTime() } = getStateAt(sandbox.store, at);
          return writeState(selectRecords(state, ids), time, { tokens: false, brief: true });
        },
      },
    ),
  ),
];
