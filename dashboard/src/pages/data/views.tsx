import { views as byName } from 'virtual:views';
import { computed } from '@preact/signals';
import { toIdField } from '../../../../src/engine/definition/nouns.js';
import { listFields, listReferring, referencesOf, tables } from '../../lib/collections.js';
import { capitalize } from '../../lib/format.js';
import type { Row } from '../../lib/types.js';
import { Json } from '../../ui/code.js';
import { type Column, exactTime, Muted, main, RecordLink, Time, textOf } from './columns.js';
import { Id, tableOf } from './content.js';
import type { FormControl, View } from './view.js';

const views = computed(() => new Map(tables.value.map(({ name }) => [name, byName[name] ?? makeView(name)])));

/** Returns how the records of a collection are shown: by default, by their schema. */
export const viewOf = (collection: string): View => views.value.get(collection) ?? makeView(collection);

/** How a record is called. */
export const nameOf = (collection: string, row: Row): string => viewOf(collection).name(row);

const toTitle = (field: string): string => capitalize(field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

function makeView(collection: string): View {
  const references = referencesOf(collection);
  const fields = listFields(collection).filter(({ name }) => name !== 'id');
  const isTime = (type: string) => type === 'time';
  const render = (name: string, type: string, row: Row) => {
    const to = references[name];
    const value = row[name];
    if (to !== undefined)
      return (
        <RecordLink collection={to} id={row[toIdField(to)]}>
          {textOf(value)}
        </RecordLink>
      );
    return isTime(type) ? <Time value={value} /> : <Muted value={value} />;
  };
  return {
    name: ({ id }) => id,
    columns: [
      { title: 'Id', render: main(collection, ({ id }) => id) },
      ...fields.map(
        ({ name, type }, index): Column => ({
          title: toTitle(name),
          sort: name,
          isWide: index > 1,
          ...(isTime(type) && { width: 110 }),
          render: (row) => render(name, type, row),
        }),
      ),
    ],
    form: fields.map(({ name, type, description, isRequired, choices }): FormControl => {
      const to = references[name];
      const isText = /^string\b|^time$/.test(type);
      const kind = to === 'users' || to === 'vals' ? to : (choices ?? (isText ? 'text' : 'json'));
      return { name, label: toTitle(name), required: isRequired, kind, hint: description };
    }),
    describe: (record) => ({
      properties: {
        ...Object.fromEntries(
          fields.map(({ name, type }) => [
            toTitle(name),
            isTime(type) ? exactTime(record[name]) : render(name, type, record),
          ]),
        ),
        Id: <Id id={record.id} />,
      },
      parts: [{ id: 'record', title: 'Record', content: <Json value={record} /> }],
      related: Object.fromEntries(
        listReferring(collection).map((name) => [name, tableOf(name, { [toIdField(collection)]: record.id })]),
      ),
    }),
  };
}
