import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { lookUp } from '../../lib/look-up.js';
import { useResource } from '../../lib/resource.js';
import type { RecordNames, RequestSummary } from '../../lib/types.js';

/** Ids that are named at once. */
const MAX_IDS = 200;

const known = signal<RecordNames>({});

/** A part of a path, with the name of the record whose id it is. */
interface PathPart {
  readonly text: string;
  readonly id?: string;
}

/** The segments of a path that are values of its route. */
function idsOf({ route, path }: RequestSummary): readonly string[] {
  const [, template = ''] = route?.split(' ') ?? [];
  const segments = path.split(/[/?]/);
  return template.split('/').flatMap((name, i) => (name.startsWith('{') ? (segments[i] ?? []) : []));
}

/** Names the records of requests, those that are in view. */
export function useNames(shown: readonly RequestSummary[]): RecordNames {
  const ids = [...new Set(shown.flatMap(idsOf))].filter((id) => !id.includes(',')).slice(0, MAX_IDS);
  const { data } = useResource<RecordNames>(
    ids.length === 0 ? undefined : withQuery('/names', { ids: ids.sort().join() }),
  );
  useEffect(() => {
    if (data) known.value = { ...known.value, ...data };
  }, [data]);
  return known.value;
}

/** Splits a path, with names in place of ids. */
function namePath(request: RequestSummary, names: RecordNames): readonly PathPart[] {
  const ids = idsOf(request);
  return request.path.split(/([/?])/).map((text) => {
    const found = ids.includes(text) ? lookUp(names, text) : undefined;
    return found === undefined || found.name === text ? { text } : { text: found.name, id: text };
  });
}

/** A path with names in place of ids. */
export const RequestPath = ({ request, names }: { readonly request: RequestSummary; readonly names: RecordNames }) => (
  <>
    {namePath(request, names).map(({ text, id }, i) =>
      id === undefined ? (
        text
      ) : (
        <span key={i} class="path-name" title={id}>
          {text}
        </span>
      ),
    )}
  </>
);
