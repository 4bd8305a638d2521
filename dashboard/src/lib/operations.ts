import { useMemo } from 'preact/hooks';
import { useResource } from './resource.js';

/** Where a rule of the emulated API comes from, the most certain first. */
export const SOURCES = ['specification', 'record', 'chosen'] as const;
export type Source = (typeof SOURCES)[number];

interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly 'x-rules'?: Readonly<Partial<Record<Source, readonly string[]>>>;
  readonly responses?: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components?: { readonly responses?: Readonly<Record<string, { readonly description?: string }>> };
}

/** An operation of the emulated API. */
export interface Operation {
  /** `POST /v1/vals` */
  readonly route: string;
  readonly summary: string;
  readonly rules: readonly { readonly source: Source; readonly text: string }[];
  /** What the responses mean, by status. */
  readonly responses: Readonly<Record<string, string>>;
}

const METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete'];

function listOperations({ paths, components }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, { summary = '', 'x-rules': rules = {}, responses = {} }]) => ({
        route: `${method.toUpperCase()} ${path}`,
        summary,
        rules: SOURCES.flatMap((source) => (rules[source] ?? []).map((text) => ({ source, text }))),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, { $ref, description }]) => [
            status,
            description ?? components?.responses?.[$ref?.split('/').at(-1) ?? '']?.description ?? '',
          ]),
        ),
      })),
  );
}

/** Reads the operations of the emulated API. Undefined until they are read. */
export function useOperations(): readonly Operation[] | undefined {
  const { data } = useResource<OpenApiDocument>('/openapi.json', 'lists');
  return useMemo(() => data && listOperations(data), [data]);
}
