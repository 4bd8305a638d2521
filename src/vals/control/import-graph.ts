import { type Static, Type } from 'typebox';
import { Nullable } from '#engine/api/schemas/common.js';
import { controlRoute } from '#engine/control/route.js';
import { record, strictObject } from '#engine/lib/schema.js';
import { At } from '#engine/sandbox/history.js';
import { getValsStateAt } from './state-at.js';

const graphVal = record('ImportGraphVal', {
  id: Nullable(Type.String({ description: 'Null for an imported val that does not exist' })),
  author: Type.String({ description: 'Username, or the id of a user without one' }),
  name: Type.String(),
  type: Nullable(Type.String()),
  privacy: Nullable(Type.String()),
});
export interface GraphVal extends Static<typeof graphVal> {}
const GraphVal = Type.Unsafe<GraphVal>(graphVal);

const importGraph = record('ImportGraph', {
  vals: Type.Array(GraphVal),
  imports: Type.Array(
    record('ImportGraphEdge', {
      from: Type.Integer({ description: 'Index of the importing val' }),
      to: Type.Integer({ description: 'Index of the imported val' }),
    }),
  ),
  truncated: Type.Boolean({ description: 'Whether the graph has the first 500 vals only' }),
});
export interface ImportGraph extends Static<typeof importGraph> {}
const ImportGraph = Type.Unsafe<ImportGraph>(importGraph);

export const importRoutes = [
  controlRoute('GET', '/_emulator/imports', 'Get the vals of a user, what they import and what imports them', {
    id: 'getImports',
    query: strictObject({ user: Type.String({ description: 'Username or id' }), at: At }),
    response: ImportGraph,
    errors: [400, 403, 404, 422],
    example: { query: { user: 'ada' } },
    async handle({ sandbox, query: { user, at } }) {
      const { state } = getValsStateAt(sandbox, at);
      const { readImports } = await import('./imports.js');
      return readImports(state, user);
    },
  }),
];
