import { routes } from '../../src/routes/index.js';
import { describeRules } from '../openapi/descriptions.js';

/** The routes of the specification, then the unofficial ones. */
export const orderedRoutes = [
  ...routes.filter(({ unofficial }) => !unofficial),
  ...routes.filter(({ unofficial }) => unofficial),
];

/** Describes each operation with the sources of its rules, as Markdown. */
export const describeOperations = (): string =>
  orderedRoutes
    .map(({ name, summary, unofficial, rules = {} }) => {
      const origin = unofficial ? ' Unofficial: not in the specification.' : '';
      return `### ${name}\n\n${summary}.${origin}\n\n${describeRules(rules)}`;
    })
    .join('\n\n');
