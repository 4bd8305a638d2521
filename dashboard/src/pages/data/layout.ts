import type { ImportGraph } from '../../lib/types.js';

/** Pixels. */
export const NODE_WIDTH = 168;
export const NODE_HEIGHT = 44;
const MARGIN = 12;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  /** The centers of the vals that have an import, by their index. */
  readonly nodes: ReadonlyMap<number, Point>;
  readonly edges: readonly { readonly from: number; readonly to: number; readonly points: readonly Point[] }[];
}

/** Places the vals in layers: what imports is left of what it imports. */
export async function layOut({ imports }: ImportGraph): Promise<GraphLayout> {
  // Loaded late: 17 kB that only this page needs.
  const { Graph, layout } = await import('@dagrejs/dagre');
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 56, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const index of new Set(imports.flatMap(({ from, to }) => [from, to]))) {
    graph.setNode(String(index), { width: NODE_WIDTH, height: NODE_HEIGHT });
  }
  for (const { from, to } of imports) graph.setEdge(String(from), String(to));
  layout(graph);
  const nodes = graph.nodes().map((name): [number, Point] => {
    const { x = 0, y = 0 } = graph.node(name);
    return [Number(name), { x, y }];
  });
  const edges = graph.edges().map((edge) => {
    const { points = [] } = graph.edge(edge);
    return { from: Number(edge.v), to: Number(edge.w), points };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, nodes: new Map(nodes), edges };
}

/** Draws a smooth line through points: straight between the middles, with curves at the points. */
export function toPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const isLast = index === rest.length - 2;
    const end = isLast ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x},${point.y} ${end.x},${end.y}`;
  });
  return `M${first.x},${first.y} ${curves.length > 0 ? curves.join(' ') : `L${last.x},${last.y}`}`;
}
