import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import type { Fields, Writing } from '../definition/context.js';
import { type AnyDefinition, nameRecord } from '../definition/define.js';
import { findTimeKey, listTimes } from '../definition/definitions.js';
import { type FilePath, mapPath } from '../definition/file-path.js';
import { type Steps, settle, sortInSteps } from '../lib/steps.js';
import { formatOffset, type Instant, isTooLong, toTimestamp } from '../lib/time.js';
import { deriveId, type State } from '../state/state.js';
import { selectRecords } from './export.js';
import { StateNames } from './names.js';
import { listDefaults } from './validate.js';

export const listTimeKeys = (schema: TObject): string[] =>
  listTimes(schema).flatMap(([key, ...rest]) => (key !== undefined && rest.length === 0 ? [key] : []));

/** Writes records without the keys that equal their defaults. */
export class BriefWriter extends StateNames implements Writing {
  readonly origin: Instant;
  readonly #relative: boolean;
  readonly #now: Instant;
  /** Earliest row that refers to a record, by the id of that. */
  readonly #earliest = new Map<string, Instant>();

  /**
   * @param origin the time from which relative times count
   * @param relative writes times relative to the origin
   * @param now times between the origin and this one are written as the origin. Default: none
   */
  constructor(state: State, origin: Instant, relative: boolean, now = origin) {
    super(state);
    this.#now = now;
    this.origin = origin;
    this.#relative = relative;
  }

  *write(): Steps<Record<string, Fields[]>> {
    const { all } = this.sets.definitions;
    const rows: Record<string, Fields[]> = {};
    for (const definition of [...all].sort((a, b) => Number(a.isLast ?? false) - Number(b.isLast ?? false))) {
      rows[definition.name] = yield* this.#writeAll(definition);
    }
    return rows;
  }

  *#writeAll(definition: AnyDefinition): Steps<Fields[]> {
    const { name, schema, references, owner = '', compareBrief, abridge } = definition;
    const times = listTimes(schema);
    const timeKeys = listTimeKeys(schema);
    const timeKey = findTimeKey(schema);
    const fixed = Object.fromEntries(listDefaults(schema).filter(([key]) => !timeKeys.includes(key)));
    const keys = Object.keys(schema.properties);
    const abridger = abridge?.(this);
    const counts = new Map<string, number>();
    const selected = yield* selectRecords(this.sets, definition);
    const records = compareBrief ? yield* sortInSteps(selected, compareBrief) : selected;
    const rows: Fields[] = [];
    let done = 0;
    for (const record of records) {
      const written: Fields = { ...(yield* settle(definition.write(this, record))) };
      const time = timeKey === undefined ? undefined : Date.parse(String(written[timeKey]));
      for (const { id } of time === undefined ? [] : Object.values(references)) {
        const other = id(record);
        if (other !== undefined) this.touch(other, time ?? 0);
      }
      const ownerId = references[owner]?.id(record);
      const ordinal = ownerId === undefined ? 0 : (counts.get(ownerId) ?? 0);
      if (ownerId !== undefined) counts.set(ownerId, ordinal + 1);
      const abridged = abridger?.abridge(record, written);
      const fields = abridged?.fields ?? written;
      const defaults: Fields = {
        ...fixed,
        ...(ownerId !== undefined && { id: this.deriveId(nameRecord(name, ownerId, ordinal)) }),
        ...(timeKey !== undefined && this.defaultTime(timeKey)),
        ...abridged?.defaults,
      };
      const kept = keys.filter(
        (key) =>
          fields[key] !== undefined && (defaults[key] === undefined || !isDeepStrictEqual(defaults[key], fields[key])),
      );
      const row = Object.fromEntries(kept.map((key) => [key, fields[key]]));
      rows.push(this.#relative ? toRelative(row, times, this.origin, this.#now) : row);
      if (++done % STEP_SIZE === 0) yield;
    }
    return rows;
  }

  deriveId(name: string): string {
    return deriveId(this.sets.settings, name);
  }

  defaultTime(key: string, time = this.origin): Fields {
    return this.#relative ? { [key]: toTimestamp(time) } : {};
  }

  touch(id: string, time: Instant): void {
    this.#earliest.set(id, Math.min(this.earliest(id), time));
  }

  earliest(id: string): Instant {
    return this.#earliest.get(id) ?? Number.POSITIVE_INFINITY;
  }
}

/** Rows that are written between two steps. */
const STEP_SIZE = 50;

/**
 * Writes the times of a record relative to a time, unless they are too far away.
 * @param now as of {@link BriefWriter}
 */
export function toRelative(row: Fields, times: readonly FilePath[], origin: Instant, now = origin): Fields {
  const write = (value: unknown): unknown => {
    const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    const offset = instant > origin && instant <= now ? 0 : instant - origin;
    return Number.isNaN(offset) || isTooLong(Math.abs(offset)) ? value : formatOffset(offset);
  };
  return times.reduce<Fields>((written, path) => Object(mapPath(written, path, '', write)), row);
}
