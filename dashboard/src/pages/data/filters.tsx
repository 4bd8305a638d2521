import { useEffect, useRef, useState } from 'preact/hooks';
import { criteriaOf, listFields, pluralOf, referencesOf, singularOf } from '../../lib/collections.js';
import { capitalize } from '../../lib/format.js';
import { place, setQuery } from '../../lib/location.js';
import type { Row } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';
import { Icon } from '../../ui/icons.js';
import { ReferenceInput, useDelayed } from '../../ui/reference-input.js';
import { textOf } from './columns.js';
import { viewOf } from './views.js';

/** Fields and conditions with few values, each a list to choose from. */
const choicesOf = (collection: string): (readonly [name: string, values: readonly string[]])[] => [
  ...Object.entries(viewOf(collection).choices ?? {}).map(([name, values]) => [name, Object.keys(values)] as const),
  ...listFields(collection).flatMap(({ name, choices }) => (choices ? [[name, choices] as const] : [])),
];

/** A condition of a link from a record: the id of another one. */
const isLink = (name: string): boolean => /.Id$/.test(name);

const filterNames = (collection: string): readonly string[] => [
  'q',
  ...Object.keys(viewOf(collection).choices ?? {}),
  ...criteriaOf(collection),
];

export const isFiltered = (collection: string): boolean =>
  filterNames(collection).some((name) => place.value.query.has(name));

export const clearFilters = (collection: string): void =>
  setQuery(Object.fromEntries(filterNames(collection).map((name) => [name, undefined])));

/** What the table of a collection shows. All of it is in the address. */
export function Filters({ collection, first }: { readonly collection: string; readonly first: Row | undefined }) {
  const { query } = place.value;
  return (
    <>
      <SearchInput key={collection} label={`Search ${pluralOf(collection)}`} />
      {Object.entries(referencesOf(collection)).map(([field, target]) => (
        <ReferenceInput
          key={`${collection} ${field}`}
          collection={target}
          value={query.get(field) ?? ''}
          label={capitalize(field)}
          placeholder={capitalize(field)}
          onChange={(value) => setQuery({ [field]: value })}
        />
      ))}
      {choicesOf(collection).map(([field, values]) => (
        <select
          key={`${collection} ${field}`}
          aria-label={capitalize(field)}
          value={query.get(field) ?? ''}
          onChange={({ currentTarget }) => setQuery({ [field]: currentTarget.value })}
        >
          <option value="">Any {field}</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {capitalize(value)}
            </option>
          ))}
        </select>
      ))}
      {criteriaOf(collection)
        .filter((name) => isLink(name) && query.has(name))
        .map((name) => (
          <Chip key={name} name={name} collection={collection} first={first} />
        ))}
      {isFiltered(collection) && (
        <Button kind="plain" onClick={() => clearFilters(collection)}>
          Clear filters
        </Button>
      )}
    </>
  );
}

/** A condition that a link from another page brought. */
function Chip({
  name,
  collection,
  first,
}: {
  readonly name: string;
  readonly collection: string;
  readonly first: Row | undefined;
}) {
  const field = name.slice(0, -'Id'.length);
  const id = place.value.query.get(name) ?? '';
  const known = first?.[name] === id ? textOf(first[field] ?? first.author) : '';
  const text = `Of ${field === 'parent' ? `parent ${singularOf(collection)}` : field} ${known || id.slice(0, 8)}`;
  return (
    <button
      type="button"
      class="chip"
      title={`${text}. Click to show all.`}
      onClick={() => setQuery({ [name]: undefined })}
    >
      {text}
      <Icon name="close" />
      <span class="visually-hidden">Remove this filter</span>
    </button>
  );
}

/** A text that is searched for as one types. */
function SearchInput({ label }: { readonly label: string }) {
  const current = place.value.query.get('q') ?? '';
  const [text, setText] = useState(current);
  const delayed = useDelayed(text);
  const written = useRef(current);
  useEffect(() => {
    if (delayed === written.current) return;
    written.current = delayed;
    setQuery({ q: delayed });
  }, [delayed]);
  // The address changes also by a link, or by the button that clears it.
  useEffect(() => {
    if (current === written.current) return;
    written.current = current;
    setText(current);
  }, [current]);
  return (
    <input
      class="search"
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
