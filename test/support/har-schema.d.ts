declare module 'har-schema' {
  /** The JSON schemas of HAR 1.2 by name. */
  const schemas: Readonly<Record<string, { readonly $schema: string; readonly $id: string }>>;
  export default schemas;
}
