import { useRef, useState } from 'preact/hooks';
import { isRefused } from '../../../../src/engine/lib/reasons.js';
import { formatClock } from '../../lib/format.js';
import { requests } from '../../lib/live.js';
import { at, navigate, pathOf, place, setQuery } from '../../lib/location.js';
import type { RequestSummary } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';
import { stateAfter } from '../../ui/travel.js';
import { readFilter, setFilter, useFilter } from './filters.js';
import { hasTerm, laneOf, removeTerms, toggleTerm, writeTerm } from './query.js';

type Kind = keyof typeof laneOf;
const KINDS: readonly Kind[] = ['user', 'program', 'tool'];

/** The busiest lanes are shown. */
const MAX_LANES = 5;

const outcomeOf = (request: RequestSummary): string =>
  request.status === 0 || request.status >= 500 ? 'failed' : isRefused(request) ? 'refused' : 'fine';
const OUTCOMES = ['fine', 'refused', 'failed'] as const;

/** Groups requests: the busiest lanes, each with the positions of its requests. */
function findLanes(list: readonly RequestSummary[], kind: Kind) {
  const lanes = new Map<string, number[]>();
  for (const [i, request] of list.entries()) {
    const name = laneOf[kind](request);
    const found = lanes.get(name);
    if (found) found.push(i);
    else lanes.set(name, [i]);
  }
  return [...lanes].toSorted(([, a], [, b]) => b.length - a.length).slice(0, MAX_LANES);
}

/** A lane for each user, program or tool, a dot for each request in their order. A drag selects a range. */
export function Lanes() {
  const chosen = place.value.query.get('lanes');
  const kind = KINDS.find((each) => each === chosen) ?? 'user';
  const filter = readFilter();
  const found = useFilter(removeTerms(filter, 'id'))(requests.value);
  const plot = useRef<SVGSVGElement>(null);
  const [drag, setDrag] = useState<readonly [number, number] | undefined>(undefined);
  /** They stay while a range is drawn. */
  const held = useRef(found);
  if (!drag) held.current = found;
  const list = held.current;
  const lanes = findLanes(list, kind);
  const [first, last] = [list[0], list.at(-1)];
  if (!first || !last) return null;
  const indexAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = plot.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(list.length - 1, Math.floor(((clientX - left) / width) * list.length)));
  };
  const select = ([from, to]: readonly [number, number], event: PointerEvent) => {
    setDrag(undefined);
    const [start, end] = [list[Math.min(from, to)], list[Math.max(from, to)]];
    if (!start || !end) return;
    if (start !== end) {
      setFilter(toggleTerm(removeTerms(filter, 'id'), `id:${start.id}-${end.id}`));
      return;
    }
    const { top = 0, height = 1 } = plot.current?.getBoundingClientRect() ?? {};
    const [, positions = []] = lanes[Math.floor(((event.clientY - top) / height) * lanes.length)] ?? [];
    const nearest = positions.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from))[0];
    const request = list[nearest ?? from];
    if (request) navigate(pathOf('requests', request.id), Object.fromEntries(place.value.query));
  };
  const shown = at.value === undefined ? -1 : list.findLastIndex(({ commit }) => (commit ?? 'start') === at.value);
  const travel = (index: number) => {
    const request = list[index];
    const isNow = index >= list.length - 1;
    const moment = isNow || !request ? { at: undefined } : stateAfter(request);
    if (moment) setQuery({ at: moment.at });
  };
  return (
    <section class="lanes" aria-label="Lanes">
      <select
        aria-label="Lanes of"
        value={kind}
        onChange={({ currentTarget }) => setQuery({ lanes: currentTarget.value })}
      >
        {KINDS.map((each) => (
          <option key={each} value={each}>
            By {each}
          </option>
        ))}
      </select>
      <p class="lane-times muted number">
        <time dateTime={first.time}>{formatClock(first.time)}</time>
        <span>drag for a range, move the handle to travel in time</span>
        <time dateTime={last.time}>{formatClock(last.time)}</time>
      </p>
      <ul class="lane-names">
        {lanes.map(([name]) => (
          <li key={name}>
            <Button
              kind="plain"
              pressed={hasTerm(filter, writeTerm(kind, name))}
              onClick={() => setFilter(toggleTerm(filter, writeTerm(kind, name)))}
            >
              <span class="truncate">{name === 'none' ? `no ${kind}` : name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <svg
        ref={plot}
        class="lane-plot"
        role="img"
        aria-label={`${list.length} requests by ${kind}`}
        viewBox={`0 0 ${list.length} ${lanes.length}`}
        preserveAspectRatio="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([indexAt(event), indexAt(event)]);
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], indexAt(event)])}
        onPointerUp={(event) => drag && select(drag, event)}
        onPointerCancel={() => setDrag(undefined)}
      >
        {drag && (
          <rect
            class="lane-range"
            x={Math.min(...drag)}
            width={Math.abs(drag[1] - drag[0]) + 1}
            y={0}
            height={lanes.length}
          />
        )}
        {lanes.flatMap(([name, positions], lane) =>
          OUTCOMES.map((outcome) => (
            <path
              key={`${name} ${outcome}`}
              class={`lane-dots ${outcome}`}
              d={positions
                .flatMap((i) => {
                  const request = list[i];
                  return request && outcomeOf(request) === outcome ? [`M${i + 0.5} ${lane + 0.5}h0`] : [];
                })
                .join('')}
            />
          )),
        )}
      </svg>
      <input
        class="lane-handle"
        type="range"
        aria-label="Travel in time"
        aria-valuetext={at.value === undefined ? 'now' : `after ${at.value}`}
        min={0}
        max={list.length - 1}
        value={shown < 0 ? list.length - 1 : shown}
        onInput={({ currentTarget }) => travel(Number(currentTarget.value))}
      />
    </section>
  );
}
