import type { TProperties } from 'typebox';
import type { Definition, InputOf, Settled } from './define.js';

// The types that follow from the collections of a service, by their names.

/** Any definition, for constraints: what each has is inferred from it. */
export type Collected = Readonly<Record<string, { readonly name: string; collect(records: readonly never[]): object }>>;

type Parts<D> =
  D extends Definition<string, infer R, infer _, infer P, infer A, infer F>
    ? { readonly record: R; readonly keys: P; readonly adder: A; readonly exported: Settled<F> }
    : { readonly record: object; readonly keys: TProperties; readonly adder: undefined; readonly exported: object };

export type CollectionsOf<C extends Collected> = { readonly [N in keyof C]: ReturnType<C[N]['collect']> };
/** A record as fixtures write it. */
export type InputIn<C extends Collected, N extends keyof C> = InputOf<Parts<C[N]>['keys']>;
export type ExportedIn<C extends Collected, N extends keyof C> = Parts<C[N]>['exported'];
/** The method that adds a record of a collection: `like`. */
export type AdderName<C extends Collected, N extends keyof C> = NonNullable<Parts<C[N]>['adder']>;
/** The methods that add records, each with its collection: `like`. */
export type AddersOf<C extends Collected> = { readonly [N in keyof C as AdderName<C, N>]: N };
/** Fixtures as written by hand. Any collection may be missing. */
export type FixturesOf<C extends Collected> = { readonly [N in keyof C]?: readonly InputIn<C, N>[] } & {
  /** For editors; ignored. */
  readonly $schema?: string;
};
export type ExportedStateOf<C extends Collected> = { [N in keyof C]: ExportedIn<C, N>[] };
/** All collections in fixture format. Keys with a default may be absent. */
export type ExportedFixturesOf<C extends Collected> = { readonly [N in keyof C]: InputIn<C, N>[] };
