import { type Static, Type } from 'typebox';
import { type Links, listUrl, Paging, serializePage } from '#engine/api/pagination.js';
import type { SerializedJson } from '#engine/api/serialize.js';
import { EARLIEST, type Instant, LATEST, parseInstant, toTimestamp } from '#engine/lib/time.js';
import { Choice } from '#engine/schema/common.js';
import type { Direction, TimelineSlice } from './telemetry.rules.js';

const DIRECTIONS = ['asc', 'desc'] as const satisfies readonly Direction[];

/** The parameters of a list that is paged by a window of time, in either direction. */
export const TimelinePaging = {
  limit: Paging.limit,
  direction: Choice(DIRECTIONS, {
    title: 'Direction',
    default: 'desc',
    description: 'Whether the earliest or the latest comes first',
  }),
  start: Type.Optional(Type.String({ format: 'date-time', description: 'Only items after this time' })),
  end: Type.Optional(Type.String({ format: 'date-time', description: 'Only items before or at this time' })),
};
const Query = Type.Object(TimelinePaging);
type TimelineQuery = Static<typeof Query>;

const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** A millisecond in which a page begins. Its first items are on the page before. */
interface Cut {
  readonly time: Instant;
  readonly listed: number;
}

function findCut({ direction, start, end }: TimelineQuery): Cut | undefined {
  const text = direction === 'asc' ? start : end;
  const time = text === undefined ? undefined : parseInstant(text);
  const [, fraction = ''] = /\.\d{3}(\d{1,6})/.exec(text ?? '') ?? [];
  const nanoseconds = Number(fraction.padEnd(6, '0'));
  if (time === undefined || nanoseconds === 0) return undefined;
  return direction === 'asc'
    ? { time, listed: nanoseconds }
    : { time: time + 1, listed: NANOSECONDS_PER_MILLISECOND - nanoseconds };
}

/**
 * Writes where a page ends as a time, since programs copy only `start` or `end` of a link. Items have milliseconds, so
 * nanoseconds count the listed items of the last millisecond. A program that drops them, as dates of JavaScript do, misses
 * the rest of that millisecond, but its loop ends.
 */
function formatPosition({ time, listed }: Cut, direction: Direction): string | undefined {
  const nanoseconds = direction === 'asc' ? listed : -listed;
  const milliseconds = time + Math.floor(nanoseconds / NANOSECONDS_PER_MILLISECOND);
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined;
  const rest = nanoseconds - (milliseconds - time) * NANOSECONDS_PER_MILLISECOND;
  return toTimestamp(milliseconds).replace('Z', `${String(rest).padStart(6, '0')}Z`);
}

/** Items of a timeline, and the `start` or `end` from which those after them follow. Undefined without items. */
interface Section<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** Reads the first items of a list of a window of time. @param getTime by which the list is sorted */
export function readTimeline<T>(
  list: (slice: TimelineSlice) => Iterable<T>,
  getTime: (item: T) => Instant,
  query: TimelineQuery,
): Section<T> {
  const cut = findCut(query);
  const items: T[] = [];
  for (const item of listItems(list, query, cut)) if (items.push(item) === query.limit) break;
  const last = items.at(-1);
  if (last === undefined) return { items, next: undefined };
  const time = getTime(last);
  const before = cut?.time === time ? cut.listed : 0;
  const listed = before + items.filter((item) => getTime(item) === time).length;
  return { items, next: formatPosition({ time, listed }, query.direction) };
}

/**
 * Serializes a page of a list of a window of time. Each page with items leads to a next one: later items may follow, and
 * programs that poll continue there.
 */
export function pageOfTimeline<T, V>(
  list: (slice: TimelineSlice) => Iterable<T>,
  getTime: (item: T) => Instant,
  query: TimelineQuery,
  links: Links,
  render: (item: T) => V | SerializedJson<V>,
): SerializedJson<{ data: V[]; links: { self: string; next?: string } }> {
  const { limit, direction } = query;
  const { items, next } = readTimeline(list, getTime, query);
  const urlAt = (changes: Readonly<Record<string, string>>) => listUrl(links, { limit: String(limit), ...changes });
  const pageLinks = { self: urlAt({}), next: next && urlAt({ [direction === 'asc' ? 'start' : 'end']: next }) };
  return serializePage(items, pageLinks, render);
}

function* listItems<T>(
  list: (slice: TimelineSlice) => Iterable<T>,
  { direction, start, end }: TimelineQuery,
  cut: Cut | undefined,
): Generator<T> {
  const after = start === undefined ? undefined : parseInstant(start);
  const until = end === undefined ? undefined : parseInstant(end);
  if (cut) {
    const { time, listed: skip } = cut;
    const bounds =
      direction === 'asc'
        ? { after: time - 1, until: Math.min(time, until ?? time) }
        : { after: Math.max(time - 1, after ?? time - 1), until: time };
    yield* list({ bounds, direction, skip });
  }
  yield* list({ bounds: { after, until }, direction, skip: 0 });
}
