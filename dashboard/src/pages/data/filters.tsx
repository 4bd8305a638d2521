import { useEffect, useRef, useState } from 'preact/hooks';
import { capitalize } from '../../lib/format.js';
import { place, setQuery } from '../../lib/location.js';
import { type CollectionName, pluralOf, type Row } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';
import { Icon } from '../../ui/icons.js';
import { ReferenceInput, useDelayed } from '../../ui/reference-input.js';
import { SINGULAR, textOf } from './columns.js';
import { FILTERS, OUTCOMES } from './records.js';

/** Fields with few values, each with a list to choose from. */
const CHOICES: Readonly<Partial<Record<CollectionName, Readonly<Record<string, readonly string[]>>>>> = {
  users: { tier: ['free', 'pro'] },
  vals: {
    type: ['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'],
    privacy: ['public', 'unlisted', 'private'],
  },
  runs: { outcome: OUTCOMES, source: ['ui', 'api', 'interval', 'email'] },
};

/** Fields that name a user or a val. */
const REFERENCES: Readonly<Record<CollectionName, Readonly<Record<string, 'users' | 'vals'>>>> = {
  users: {},
  vals: { author: 'users' },
  versions: { val: 'vals' },
  runs: { val: 'vals' },
  likes: { user: 'users', val: 'vals' },
  comments: { author: 'users', val: 'vals' },
  blobs: { user: 'users' },
  sqlite: { user: 'users' },
};

/** Conditions of links from a record, with the field that names it. */
const LINKED: Readonly<Record<string, string>> = { valId: 'val', userId: 'user', parentId: 'parent' };

const filterNames = (collection: CollectionName): readonly string[] => ['q', 'outcome', ...FILTERS[collection]];

export const isFiltered = (collection: CollectionName): boolean =>
  filterNames(collection).some((name) => place.value.query.has(name));

export const clearFilters = (collection: CollectionName): void =>
  setQuery(Object.fromEntries(filterNames(collection).map((name) => [name, undefined])));

/** What the table of a collection shows. All of it is in the address. */
export function Filters({
  collection,
  first,
}: {
  readonly collection: CollectionName;
  readonly first: Row | undefined;
}) {
  const { query } = place.value;
  return (
    <>
      <SearchInput key={collection} label={`Search ${pluralOf(collection)}`} />
      {Object.entries(REFERENCES[collection]).map(([field, target]) => (
        <ReferenceInput
          key={`${collection} ${field}`}
          collection={target}
          value={query.get(field) ?? ''}
          label={capitalize(field)}
          placeholder={capitalize(field)}
          onChange={(value) => setQuery({ [field]: value })}
        />
      ))}
      {Object.entries(CHOICES[collection] ?? {}).map(([field, values]) => (
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
      {FILTERS[collection]
        .filter((name) => name in LINKED && query.has(name))
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
  readonly collection: CollectionName;
  readonly first: Row | undefined;
}) {
  const field = LINKED[name] ?? name;
  const id = place.value.query.get(name) ?? '';
  const known = first?.[name] === id ? textOf(first[field] ?? first.author) : '';
  const text = `Of ${field === 'parent' ? `parent ${SINGULAR[collection]}` : field} ${known || id.slice(0, 8)}`;
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
