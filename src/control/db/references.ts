/**
 * The fields by which a record names others, each with the field for the id of what it names: `{ author: 'userId' }`.
 * json-server joins by those ids: `_expand=user` reads `userId`.
 */
export type References = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A record as a fixture has it, which names others in one field each. Of a name and an id, the one that is new says
 * what is meant; where both are, the id is a claim, to be compared with what the name turns out to mean.
 * @param before the record that it was made of
 */
export function resolveReferences(
  record: Fields,
  before: Fields | undefined,
  references: References,
): { fixture: Fields; claims: Fields } {
  const fixture: Record<string, unknown> = { ...record };
  const claims: Record<string, unknown> = {};
  for (const [nameField, idField] of Object.entries(references)) {
    const name = record[nameField];
    const id = record[idField];
    delete fixture[idField];
    const isNewName = name !== undefined && name !== before?.[nameField];
    const isNewId = id !== undefined && id !== before?.[idField];
    if (isNewName && isNewId) claims[idField] = id;
    else if (isNewId || name === undefined) fixture[nameField] = id;
  }
  return { fixture, claims };
}
