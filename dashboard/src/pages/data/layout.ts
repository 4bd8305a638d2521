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
  const positions = new Map(nodes);
  const edges = graph.edges().map((edge) => {
    const { points = [] } = graph.edge(edge);
    const [from, to] = [Number(edge.v), Number(edge.w)];
    return { from, to, points: connect(positions.get(from), positions.get(to), points) };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, nodes: positions, edges };
}

/** Joins the sides of two vals that face each other, by way of the points between other layers. */
function connect(from: Point | undefined, to: Point | undefined, points: readonly Point[]): readonly Point[] {
  if (!from || !to || from.x === to.x) return points;
  const side = (Math.sign(to.x - from.x) * NODE_WIDTH) / 2;
  // The first and the last are at the vals; a single point between them is in the gap of two layers.
  const between = points.length > 3 ? points.slice(1, -1) : [];
  return [{ x: from.x + side, y: from.y }, ...between, { x: to.x - side, y: to.y }];
}

/** Draws a smooth line that is level at each point. */
export function toPath([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  let last = first;
  const curves = rest.map((point) => {
    const middle = (last.x + point.x) / 2;
    const curve = `C${middle},${last.y} ${middle},${point.y} ${point.x},${point.y}`;
    last = point;
    return curve;
  });
  return `M${first.x},${first.y} ${curves.join(' ')}`;
}
