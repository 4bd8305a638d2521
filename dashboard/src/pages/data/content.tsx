import type { ComponentChildren } from 'preact';
import { pathOf, type Query } from '../../lib/location.js';
import { CopyButton } from '../../ui/elements.js';
import { textOf } from './columns.js';

export interface Content {
  readonly properties: Readonly<Record<string, ComponentChildren>>;
  /** Default: none */
  readonly parts?: readonly {
    readonly id: string;
    readonly title: ComponentChildren;
    readonly content: ComponentChildren;
  }[];
  /** Lists of related records, each with the address of a table of them all if one can select them. Default: none */
  readonly related?: Readonly<Record<string, TableAddress | undefined>>;
}

export interface TableAddress {
  readonly path: string;
  readonly query: Query;
}

export const Id = ({ id }: { readonly id: unknown }) => (
  <span class="copied">
    <code>{textOf(id)}</code>
    <CopyButton text={textOf(id)} label="Copy the id" />
  </span>
);

export const tableOf = (collection: string, query: Query): TableAddress => ({
  path: pathOf('data', collection),
  query,
});
