import { ComparisonSchema, diffReferences, StateDiff } from '../sandbox/comparison.js';
import { controlRoute } from './route.js';

export const comparisonRoutes = [
  controlRoute('POST', '/_emulator/diff', 'Compare two states, and score the difference', {
    id: 'diffStates',
    tool: 'diff',
    hints: ['readOnly'],
    body: ComparisonSchema,
    response: StateDiff,
    errors: [400, 403, 404, 422],
    example: { body: { expect: [{ collection: 'users', type: 'added' }] } },
    handle: ({ sandbox, body }) => diffReferences(sandbox.sources(false), body),
  }),
];
