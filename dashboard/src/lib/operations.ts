import { useMemo } from 'preact/hooks';
import { listOperations, useDocument } from './openapi.js';

/** Where a rule of the emulated API comes from, the most certain first. */
const SOURCES = ['specification', 'record', 'chosen'] as const;
export type Source = (typeof SOURCES)[number];

export interface Operation {
  /** `POST /v1/vals` */
  readonly route: string;
  readonly rules: readonly { readonly source: Source; readonly text: string }[];
}

/** Reads the operations of the emulated API. Undefined until they are read. */
export function useOperations(): readonly Operation[] | undefined {
  const { data: document } = useDocument('openapi');
  return useMemo(
    () =>
      document &&
      listOperations(document).map(({ route, 'x-rules': rules = {} }) => ({
        route,
        rules: SOURCES.flatMap((source) => (rules[source] ?? []).map((text) => ({ source, text }))),
      })),
    [document],
  );
}
