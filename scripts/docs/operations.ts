import { describeRules } from '../../src/contract/openapi-words.js';
import { routes } from '../../src/routes/index.js';

/** The routes of the specification before their companions. */
export const ordered = routes.toSorted((a, b) => Number(a.companion) - Number(b.companion));

/** Where the rules of each operation come from. */
export const operations = (): string =>
  ordered
    .map(({ name, summary, companion, rules = {} }) => {
      const origin = companion ? ' A companion: not in the specification.' : '';
      return `### ${name}\n\n${summary}.${origin}\n\n${describeRules(rules)}`;
    })
    .join('\n\n');
