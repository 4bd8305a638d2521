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

interface Options {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** What a message names as expected: `a title of 1 to 80 characters`. */
  readonly expected?: string;
  readonly [keyword: string]: unknown;
}

// The functions of `Type`, by their names there.
declare const makeArray: <S extends TSchema>(items: S, options?: Options) => TArray<S>;
declare const makeBoolean: (options?: Options) => TBoolean;
declare const makeEnum: <const V extends readonly unknown[]>(values: V, options?: Options) => TEnum<V>;
declare const makeInteger: (options?: Options) => TInteger;
declare const makeLiteral: <const V>(value: V, options?: Options) => TLiteral<V>;
declare const makeNull: (options?: Options) => TNull;
declare const makeNumber: (options?: Options) => TNumber;
declare const makeObject: <P extends TProperties>(properties: P, options?: TObjectOptions) => TObject<P>;
declare const makeOptional: <S extends TSchema>(schema: S) => TOptional<S>;
declare const makeString: (options?: Options) => TString;
declare const makeUnion: <const S extends readonly TSchema[]>(schemas: S, options?: Options) => TUnion<S>;
declare const makeUnknown: (options?: Options) => TUnknown;
declare const makeUnsafe: <T>(schema: object) => TUnsafe<T>;

export * as Type from './typebox.js';
export {
  makeArray as Array,
  makeBoolean as Boolean,
  makeEnum as Enum,
  makeInteger as Integer,
  makeLiteral as Literal,
  makeNull as Null,
  makeNumber as Number,
  makeObject as Object,
  makeOptional as Optional,
  makeString as String,
  makeUnion as Union,
  makeUnknown as Unknown,
  makeUnsafe as Unsafe,
};
