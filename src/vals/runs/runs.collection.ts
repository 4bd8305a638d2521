import { Type } from 'typebox';
import type { Builder, Writing } from '#engine/definition/context.js';
import { defineCollection, type FilledOf, nameRecord } from '#engine/definition/define.js';
import {
  Duration,
  Id,
  Json,
  JsonArray,
  JsonObject,
  type JsonValue,
  key,
  NOW,
  nullable,
  oneOf,
  optional,
  record,
  Time,
  withDefault,
} from '#engine/definition/parts.js';
import { formatValue } from '#engine/lib/messages.js';
import {
  formatDuration,
  type Instant,
  isTooLong,
  LATEST,
  parseDuration,
  TOO_FAR,
  toTimestamp,
} from '#engine/lib/time.js';
import { asc, desc, index, multiIndex, type RecordSet } from '#engine/store/collection.js';
import { type Val, type ValBuilder, ValRef, type Vals, VersionNumber } from '#vals/vals/val-records.collection.js';

export const RUN_SOURCES = ['ui', 'api', 'interval', 'email'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

export interface Run {
  readonly id: string;
  readonly valId: string;
  /** The author of the val, who owns the run. */
  readonly authorId: string;
  readonly version: number;
  /** Null for a success, else a sentence or an object that describes the failure. */
  readonly error: string | { readonly [key: string]: JsonValue } | null;
  /** The run that started this one, or its own id. */
  readonly parentId: string;
  readonly runStartAt: Instant;
  /** Null for an unfinished run. */
  readonly runEndAt: Instant | null;
  readonly source: RunSource;
  readonly emails: readonly JsonValue[];
  readonly logs: readonly JsonValue[];
  readonly returnValue: JsonValue;
  readonly args: readonly JsonValue[];
  /** Order of creation: breaks ties between runs of the same instant. */
  readonly serial: number;
}

// Named, since indexes with the same keys are sorted together.
const hasFailed = (run: Run): boolean => run.error !== null;
const getStart = (run: Run): Instant => run.runStartAt;
const getSerial = (run: Run): number => run.serial;
const byAuthor = asc((run: Run) => run.authorId);
const byVal = asc((run: Run) => run.valId);
const newestRunFirst = [desc(getStart), desc(getSerial)] as const;

const RunError = Type.Union([Type.String(), JsonObject, Type.Null()], {
  expected: 'a string, an object or null',
});

const schema = record('An execution of a val', {
  val: key(ValRef, 'The val that ran, as author/name or by its id'),
  runStartAt: withDefault(Time, NOW, 'Start time. Default: now'),
  runEndAt: optional(nullable(Time), 'End time; null for an unfinished run. Default: the start plus the duration'),
  duration: optional(Duration, 'Duration, instead of runEndAt. Default: 100ms'),
  error: withDefault(RunError, null, 'A sentence, or an object such as { "message": … }; null for a success'),
  version: optional(VersionNumber, 'The version that ran. Default: the latest'),
  source: withDefault(oneOf(...RUN_SOURCES), 'ui', 'Source of the run'),
  parentId: optional(Id, 'The run that started this one. Default: its own id'),
  emails: withDefault(JsonArray, [], 'The emails that it sent'),
  logs: withDefault(JsonArray, [], 'The values that it logged'),
  returnValue: withDefault(Json, null, 'The value that it returned'),
  args: withDefault(JsonArray, [], 'The arguments that it was called with'),
  id: optional(Id, 'UUID. Default: derived from the val and the number of its runs before this one'),
});

const DEFAULT_DURATION_MS = 100;

function toEnd(
  builder: Builder,
  { runEndAt, duration }: FilledOf<(typeof schema)['properties']>,
  path: string,
  start: Instant,
): Instant | null {
  if (runEndAt === null) return null;
  if (runEndAt !== undefined) return builder.toInstant(runEndAt, start, `${path}.runEndAt`);
  const milliseconds = duration === undefined ? DEFAULT_DURATION_MS : (parseDuration(duration) ?? 0);
  if (!isTooLong(milliseconds) && start + milliseconds <= LATEST) return start + milliseconds;
  builder.report(`${path}.duration`, `found ${formatValue(duration)}; expected ${TOO_FAR}.`);
  return start;
}

/** Lists the ids of the runs that a run started, newest first. O(n). */
const listChildren = (runs: Iterable<Run>, id: string): string[] =>
  [...runs]
    .filter((run) => run.parentId === id && run.id !== id)
    .sort((a, b) => b.serial - a.serial)
    .map((run) => run.id);

export const runs = defineCollection(
  {
    name: 'runs',
    title: 'The runs',
    adder: 'run',
    identity: index<Run>(asc((record) => record.id)),
    indexes: {
      start: index(asc(getStart), asc(getSerial)),
      author: index(byAuthor, ...newestRunFirst),
      /** Finished runs, by the author. */
      end: multiIndex(
        (run: Run) => (run.runEndAt === null ? [] : [run]),
        byAuthor,
        desc((run) => run.runEndAt ?? 0),
        desc(getSerial),
      ),
      /** Runs that logged something, by the author. */
      logged: multiIndex((run: Run) => (run.logs.length === 0 ? [] : [run]), byAuthor, ...newestRunFirst),
      authorOutcome: index(byAuthor, asc(hasFailed), ...newestRunFirst),
      val: index(byVal, ...newestRunFirst),
      valOutcome: index(byVal, asc(hasFailed), ...newestRunFirst),
    },
    schema,
  },
  {
    references: {
      val: {
        to: 'vals',
        id: ({ valId }) => valId,
        find: ({ by }, id) => by.val.range([id]),
        follow: (run, { authorId }: Val) => ({ ...run, authorId }),
      },
    },
    /** By the id of the author of the val, which is not a field of a run. */
    lookups: { userId: { find: ({ by }, id) => by.author.range([id]) } },
    owner: 'val',
    build(builder: ValBuilder, { record, path }, ordinal): Run | undefined {
      const val = builder.find('vals', record.val, `${path}.val`);
      if (!val) return undefined;
      if (record.runEndAt !== undefined && record.duration !== undefined) {
        return builder.report(`${path}.duration`, 'expected either duration or runEndAt, not both.');
      }
      const runStartAt = builder.toInstant(record.runStartAt, builder.now, `${path}.runStartAt`);
      const runEndAt = toEnd(builder, record, path, runStartAt);
      if (runEndAt !== null && runEndAt < runStartAt) {
        return builder.report(`${path}.runEndAt`, 'lies before runStartAt; a run ends after it starts.');
      }
      const id = builder.toId(record.id, nameRecord('runs', val.id, ordinal));
      const { version = val.latest.version, error, source, emails, logs, returnValue, args } = record;
      return {
        id,
        valId: val.id,
        authorId: val.authorId,
        version,
        parentId: record.parentId?.toLowerCase() ?? id,
        runStartAt,
        runEndAt,
        error,
        source,
        emails,
        logs,
        returnValue,
        args,
        serial: builder.drawSerial(),
      };
    },
    write: (names, run) => ({
      id: run.id,
      val: names.of('vals', run.valId),
      version: run.version,
      runStartAt: toTimestamp(run.runStartAt),
      runEndAt: run.runEndAt === null ? null : toTimestamp(run.runEndAt),
      error: run.error,
      source: run.source,
      parentId: run.parentId,
      emails: [...run.emails],
      logs: [...run.logs],
      returnValue: run.returnValue,
      args: [...run.args],
    }),
    /** With the duration in place of the end, if there is one that can be written. */
    abridge: ({ sets }: Writing & { readonly sets: Vals }) => ({
      abridge({ id, valId, runStartAt, runEndAt }, { runEndAt: end, ...fields }) {
        const duration = runEndAt === null ? undefined : runEndAt - runStartAt;
        const isShort = duration !== undefined && !isTooLong(duration);
        return {
          fields: isShort ? { ...fields, duration: formatDuration(duration) } : { ...fields, runEndAt: end },
          defaults: {
            version: sets.vals.get(valId)?.latest.version,
            parentId: id,
            duration: formatDuration(DEFAULT_DURATION_MS),
          },
        };
      },
    }),
    /** A run that is given a duration has no old end: the end follows from it. */
    complete({ runEndAt, ...row }, _names, old) {
      const isOld = old?.runEndAt && runEndAt === toTimestamp(old.runEndAt);
      return row.duration !== undefined && isOld ? row : { ...row, ...(runEndAt !== undefined && { runEndAt }) };
    },
    /** The version that ran, and the run that started this one. */
    *related({ versions, runs }: Vals & { readonly runs: RecordSet<Run> }, { valId, version, parentId }) {
      const ran = versions.get(valId, version);
      if (ran) yield ['versions', ran];
      const parent = runs.get(parentId);
      if (parent) yield ['runs', parent];
    },
    relations: ({ runs }: { readonly runs: Iterable<Run> }, { id, valId, version, parentId }) => ({
      version: ['versions', [`${valId}:${version}`]],
      parent: ['runs', parentId === id ? [] : [parentId]],
      children: ['runs', listChildren(runs, id)],
    }),
    example: { val: 'ada/hello', runStartAt: '-10m', error: 'No name given' },
    display: (names, { valId }) => `run of ${names.of('vals', valId)}`,
    rules: { not: { required: ['runEndAt', 'duration'] } },
    unwritten: ['duration'],
    compareAge: (a, b) => a.runStartAt - b.runStartAt || a.serial - b.serial,
    byAge: ({ by }) => by.start.range(),
  },
);
