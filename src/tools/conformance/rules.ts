import { readText } from '#engine/platform/package-files.js';
import { splitId } from '#tools/conformance/split-id.js';
import type { Source } from './case.js';

type Rules = Readonly<Partial<Record<Source, readonly string[]>>>;

interface RuleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly 'x-rules'?: Rules }>>>>;
  readonly 'x-general-rules': Rules;
  readonly 'x-tool-rules': Rules;
}

/** Reads the sentences of all rules, by route and id: `POST /v1/vals created`. The general rules have the route `*`. */
export function readRules(): ReadonlyMap<string, string> {
  const document: RuleDocument = JSON.parse(readText('docs/openapi.json'));
  const rules = new Map<string, string>();
  const add = (route: string, bySource: Rules = {}) => {
    for (const rule of Object.values(bySource).flat()) {
      const [id, sentence] = splitId(rule);
      rules.set(`${route} ${id}`, sentence);
    }
  };
  add('*', document['x-general-rules']);
  add('POST /v3/mcp', document['x-tool-rules']);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      add(`${method.toUpperCase()} ${path}`, operation['x-rules']);
    }
  }
  return rules;
}
