import { formatNoun, formatNumber } from '../lib/format.js';
import type { RowChanges } from '../lib/types.js';
import { FieldDiff } from './diff.js';

/** Rows of databases before and after a request, by statement. */
export const RowsView = ({ rows }: { readonly rows: readonly RowChanges[] }) => (
  <>
    {rows.map(({ record, statement, changes, more }, index) => (
      <section key={index} class="change" aria-label={`Rows of ${record}`}>
        <header>
          <span>rows of {record}</span> {statement === null ? 'other statements' : <code>{statement}</code>}
        </header>
        <dl class="fields-diff">
          {changes.map(({ table, before, after }, row) => (
            <div key={row}>
              <dt>{table}</dt>
              <dd>
                <FieldDiff before={before ?? undefined} after={after ?? undefined} />
              </dd>
            </div>
          ))}
        </dl>
        {more > 0 && (
          <p class="muted">
            {formatNumber(more)} {changes.length > 0 && 'more '}
            {formatNoun(more, 'rows')}
          </p>
        )}
      </section>
    ))}
  </>
);
