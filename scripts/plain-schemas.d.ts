// Takes the place of TypeBox in the declarations of the package: the schemas that they name, and `Static`. A program that
// checks its types needs no TypeBox, and takes less time than with it.

declare const STATIC: unique symbol;
declare const OPTIONAL: unique symbol;

export interface TSchema {
  readonly [STATIC]: unknown;
}
interface Schema<T> extends TSchema {
  readonly [STATIC]: T;
}
/** The type of the values of a schema. */
export type Static<S extends TSchema> = S[typeof STATIC];

/** As TypeBox names it in declarations of generic functions. */
export type StaticType<_Stack, _Direction, _Context, _This, S extends TSchema> = Static<S>;

export interface TProperties {
  readonly [name: string]: TSchema;
}
export interface TObjectOptions {
  readonly additionalProperties?: TSchema | boolean;
  readonly [keyword: string]: unknown;
}

type OptionalKey<P> = { [K in keyof P]: P[K] extends { readonly [OPTIONAL]: true } ? K : never }[keyof P];
type StaticObject<P extends TProperties> = Flat<
  { [K in Exclude<keyof P, OptionalKey<P>>]: Static<P[K]> } & { [K in OptionalKey<P>]?: Static<P[K]> }
>;
type Flat<T> = { [K in keyof T]: T[K] };

export type TOptional<S extends TSchema> = S & { readonly [OPTIONAL]: true };
export interface TObject<P extends TProperties = TProperties> extends Schema<StaticObject<P>> {
  readonly properties: P;
}
export interface TUnsafe<T> extends Schema<T> {}
export interface TArray<S extends TSchema> extends Schema<Static<S>[]> {}
export interface TRecord<_K extends string, S extends TSchema> extends Schema<Record<string, Static<S>>> {}
export interface TUnion<S extends readonly TSchema[]> extends Schema<Static<S[number]>> {}
export interface TTuple<S extends readonly TSchema[]> extends Schema<{ [K in keyof S]: Static<S[K]> }> {}
export interface TEnum<V extends readonly unknown[]> extends Schema<V[number]> {}
export interface TLiteral<V> extends Schema<V> {}
export interface TString extends Schema<string> {}
export interface TInteger extends Schema<number> {}
export interface TNumber extends Schema<number> {}
export interface TBoolean extends Schema<boolean> {}
export interface TNull extends Schema<null> {}
export interface TUnknown extends Schema<unknown> {}
export interface TVoid extends Schema<void> {}

export * as Type from './typebox.js';
