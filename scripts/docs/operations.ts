import type { Rules } from '#engine/api/route.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { splitId } from '#tools/conformance/split-id.js';
import { routes } from '#vals/service/all.routes.js';
import { GENERAL_RULES, TOOL_RULES } from './general-rules.js';
import { describeRules } from './rules.js';

/** The routes of the specification, then the unofficial ones. */
export const orderedRoutes = [
  ...routes.filter(({ unofficial }) => !unofficial),
  ...routes.filter(({ unofficial }) => unofficial),
];

/** Cases of one rule that are named; the others are counted. */
const MAX_NAMED = 4;

/** Adds to each rule the cases that hold it. */
function withCases(route: string, { specification = [], record = [], chosen = [] }: Rules): Rules {
  const add = (rule: string) => {
    const [name] = splitId(rule);
    const ids = CASES.filter((each) => each.rule === name && each.route === route).map(({ id }) => `\`${id}\``);
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
    return ids.length === 0 ? rule : `${rule} (${ids.slice(0, MAX_NAMED).join(', ')}${more})`;
  };
  return { specification: specification.map(add), record: record.map(add), chosen: chosen.map(add) };
}

/** Describes the rules of all operations with their sources, as Markdown. */
export const describeGeneralRules = (): string => describeRules(withCases('*', GENERAL_RULES));

/** Describes each operation with the sources of its rules, as Markdown. */
export const describeOperations = (): string =>
  [
    ...orderedRoutes,
    { name: 'POST /v3/mcp', summary: 'Call the tools of the MCP server', unofficial: true, rules: TOOL_RULES },
  ]
    .map(({ name, summary, unofficial, rules = {} }) => {
      const origin = unofficial ? ' Unofficial: not in the specification.' : '';
      return `### ${name}\n\n${summary}.${origin}\n\n${describeRules(withCases(name, rules))}`;
    })
    .join('\n\n');
