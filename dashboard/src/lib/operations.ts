import { useMemo } from 'preact/hooks';
import { splitId } from '../../../src/tools/conformance/split-id.js';
import { listOperations, useDocument } from './openapi.js';

/** Where a rule of the emulated API comes from, the most certain first. */
const SOURCES = ['specification', 'record', 'chosen'] as const;
export type Source = (typeof SOURCES)[number];

export interface Rule {
  readonly source: Source;
  /** The id, or the text of a rule without an id. */
  readonly key: string;
  readonly text: string;
}

/** @param rule of an OpenAPI document: `parents: A file has …` */
export function parseRule(rule: string): Omit<Rule, 'source'> {
  const [id, text] = splitId(rule);
  return { key: id || text, text };
}

export interface Operation {
  /** `POST /v1/vals` */
  readonly route: string;
  readonly rules: readonly Rule[];
}

/** Reads the operations of the emulated API. Undefined until they are read. */
export function useOperations(): readonly Operation[] | undefined {
  const { data: document } = useDocument('openapi');
  return useMemo(
    () =>
      document &&
      listOperations(document).map(({ route, 'x-rules': rules = {} }) => ({
        route,
        rules: SOURCES.flatMap((source) => (rules[source] ?? []).map((rule) => ({ source, ...parseRule(rule) }))),
      })),
    [document],
  );
}
