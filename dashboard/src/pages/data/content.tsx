import type { ComponentChildren } from 'preact';
import { pathOf, type Query } from '../../lib/location.js';
import { CopyButton } from '../../ui/elements.js';
import { textOf } from './columns.js';

/** What the page of a record shows. */
export interface Content {
  readonly properties: ComponentChildren;
  readonly parts: readonly {
    readonly id: string;
    readonly title: ComponentChildren;
    readonly content: ComponentChildren;
  }[];
  /** The related records to show, each with the page that has all of them. */
  readonly related: Readonly<Record<string, { readonly path: string; readonly query: Query } | undefined>>;
}

export const Id = ({ id }: { readonly id: unknown }) => (
  <span class="copied">
    <code>{textOf(id)}</code>
    <CopyButton text={textOf(id)} label="Copy the id" />
  </span>
);

export const tableOf = (collection: string, query: Query) => ({ path: pathOf('data', collection), query });
