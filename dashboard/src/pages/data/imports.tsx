import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { formatNumber } from '../../lib/format.js';
import { at, href, pathOf, place, setQuery } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { ImportGraph, RecordPage } from '../../lib/types.js';
import { Badge, Button, Empty, ErrorMessage, Page, Panel } from '../../ui/elements.js';
import { ReferenceInput } from '../../ui/reference-input.js';
import { RecordLink, textOf } from './columns.js';
import { type GraphLayout, layOut, NODE_HEIGHT, NODE_WIDTH, toPath } from './layout.js';

type GraphVal = ImportGraph['vals'][number];

/** What the vals of a user import, and what imports them. */
export function ImportsPage({ navigation }: { readonly navigation: ComponentChildren }) {
  const wanted = place.value.query.get('user') ?? '';
  // The first user, unless the address has one.
  const first = useResource<RecordPage>(
    wanted === '' ? withQuery('/records/users', { limit: 1, order: 'asc', at: at.value }) : undefined,
  );
  const firstUser = first.data?.records[0];
  const user = wanted || textOf(firstUser?.username ?? firstUser?.id);
  const { data, error } = useResource<ImportGraph>(
    user === '' ? undefined : withQuery('/imports', { user, at: at.value }),
  );
  return (
    <Page title="Data">
      {navigation}
      <div class="toolbar">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is a child */}
        <label class="inline-field">
          <span class="field-label">Vals of</span>
          <ReferenceInput collection="users" value={user} onChange={(value) => setQuery({ user: value })} />
        </label>
      </div>
      {error && <ErrorMessage error={error} />}
      {first.data?.total === 0 && <Empty title="There are no users" />}
      {data && <Imports graph={data} user={user} />}
    </Page>
  );
}

function Imports({ graph, user }: { readonly graph: ImportGraph; readonly user: string }) {
  const { vals, imports, truncated } = graph;
  if (vals.length === 0) return <Empty title={`${user} has no vals`} />;
  const connected = new Set(imports.flatMap(({ from, to }) => [from, to]));
  const others = vals.length - connected.size;
  // The own vals are first.
  const isOwn = (val: GraphVal) => val.author === vals[0]?.author;
  return (
    <>
      {truncated && (
        <p class="note" role="status">
          There are more: the graph ends at {formatNumber(vals.length)} vals.
        </p>
      )}
      {imports.length === 0 ? (
        <Empty title={`The vals of ${user} import nothing, and nothing imports them`} />
      ) : (
        <Picture graph={graph} isOwn={isOwn} />
      )}
      <ImportList graph={graph} />
      {others > 0 && imports.length > 0 && (
        <p class="muted">
          {formatNumber(others)} other {others === 1 ? 'val has' : 'vals have'} no imports, and nothing imports{' '}
          {others === 1 ? 'it' : 'them'}.
        </p>
      )}
    </>
  );
}

const MIN_ZOOM = 0.25;
const MAX_ZOOM = 2;

interface PictureProps {
  readonly graph: ImportGraph;
  readonly isOwn: (val: GraphVal) => boolean;
}

/** The graph as a picture. The list below says the same. */
function Picture({ graph, isOwn }: PictureProps) {
  const [layout, setLayout] = useState<GraphLayout | undefined>(undefined);
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const [zoom, setZoom] = useState(1);
  const key = JSON.stringify(graph.imports);
  useEffect(() => {
    let isCurrent = true;
    layOut(graph).then(
      (next) => isCurrent && setLayout(next),
      (error: unknown) => isCurrent && setFailure(error instanceof Error ? error : new Error(String(error))),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  if (failure) return <ErrorMessage error={failure} />;
  if (!layout) return <div class="graph-box" />;
  const { width, height, nodes, edges } = layout;
  const change = (factor: number) => setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)));
  return (
    <Panel
      title="Import graph"
      actions={
        <>
          <Legend />
          <span class="zoom">
            <Button kind="plain" label="Zoom out" disabled={zoom <= MIN_ZOOM} onClick={() => change(0.8)}>
              −
            </Button>
            <Button kind="plain" label="Actual size" onClick={() => setZoom(1)}>
              {Math.round(zoom * 100)} %
            </Button>
            <Button kind="plain" label="Zoom in" disabled={zoom >= MAX_ZOOM} onClick={() => change(1.25)}>
              +
            </Button>
          </span>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys */}
      <section class="graph-box" tabIndex={0} aria-label="Picture of the imports; the list below says the same">
        <svg width={width * zoom} height={height * zoom} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0,0.8 L7,4 L0,7.2 z" />
            </marker>
          </defs>
          {edges.map(({ from, to, points }) => (
            <path key={`${from} ${to}`} class="edge" d={toPath(points)} marker-end="url(#arrow)" />
          ))}
          {[...nodes].map(([index, { x, y }]) => {
            const val = graph.vals[index];
            return val && <Node key={index} val={val} x={x} y={y} isOwn={isOwn(val)} />;
          })}
        </svg>
      </section>
    </Panel>
  );
}

const Legend = () => (
  <ul class="legend">
    <li class="own">Own</li>
    <li class="foreign">Of others</li>
    <li class="missing">Missing</li>
  </ul>
);

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

interface NodeProps {
  readonly val: GraphVal;
  readonly x: number;
  readonly y: number;
  readonly isOwn: boolean;
}

function Node({ val: { id, author, name, type, privacy }, x, y, isOwn }: NodeProps) {
  const kind = id === null ? 'missing' : isOwn ? 'own' : 'foreign';
  const details = id === null ? 'missing' : [type, privacy === 'public' ? '' : privacy].filter(Boolean).join(', ');
  const content = (
    <>
      <title>{`${author}/${name}`}</title>
      <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx={7} />
      <text x={11} y={18} class="node-name">
        {cut(name, 22)}
      </text>
      <text x={11} y={34} class="node-details">
        {cut(isOwn ? details : `${author} · ${details}`, 26)}
      </text>
    </>
  );
  const node = (
    <g class={`node ${kind}`} transform={`translate(${x - NODE_WIDTH / 2} ${y - NODE_HEIGHT / 2})`}>
      {content}
    </g>
  );
  if (id === null) return node;
  // The keyboard has the links of the list.
  return (
    <a href={href(pathOf('data', 'vals', id))} tabindex={-1}>
      {node}
    </a>
  );
}

/** The graph as a list, for the keyboard and for screen readers. */
function ImportList({ graph: { vals, imports } }: { readonly graph: ImportGraph }) {
  const importers = vals.flatMap((val, index) => {
    const targets = imports.flatMap(({ from, to }) => (from === index ? [vals[to]] : []));
    return targets.length > 0 ? [{ val, targets: targets.filter((target) => target !== undefined) }] : [];
  });
  if (importers.length === 0) return null;
  return (
    <Panel title="Imports">
      <ul class="import-list">
        {importers.map(({ val, targets }) => (
          <li key={`${val.author}/${val.name}`}>
            <ValName val={val} /> <span class="muted">imports</span>{' '}
            {targets.map((target, index) => (
              <span key={`${target.author}/${target.name}`}>
                {index > 0 && ', '}
                <ValName val={target} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const ValName = ({ val: { id, author, name } }: { readonly val: GraphVal }) => (
  <>
    <RecordLink collection="vals" id={id}>
      {author}/{name}
    </RecordLink>
    {id === null && (
      <>
        {' '}
        <Badge kind="removed">missing</Badge>
      </>
    )}
  </>
);
