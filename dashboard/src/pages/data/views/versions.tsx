import { formatValue } from '../../../lib/format.js';
import { pathOf } from '../../../lib/location.js';
import type { Row } from '../../../lib/types.js';
import { Code } from '../../../ui/code.js';
import { Link } from '../../../ui/elements.js';
import { created, exactTime, main, textOf, ValLink, val } from '../columns.js';
import type { Content } from '../content.js';
import { CREATED, VAL, type View } from '../view.js';

function describeVersion(version: Row): Content {
  return {
    properties: {
      Val: <ValLink row={version} />,
      Version: textOf(version.version),
      Created: exactTime(version.createdAt),
      Compare: (
        <Link
          to={pathOf('data', 'vals', textOf(version.valId))}
          query={{ tab: 'versions', to: textOf(version.version) }}
        >
          With the version before
        </Link>
      ),
    },
    parts: [{ id: 'code', title: 'Code', content: <Code text={textOf(version.code)} /> }],
  };
}

export const versions: View = {
  name: (row) => `${textOf(row.val)} version ${textOf(row.version)}`,
  columns: [
    {
      title: 'Version',
      sort: 'version',
      width: 90,
      render: main(
        'versions',
        (row) => textOf(row.version),
        (row) => `version of ${textOf(row.val)}`,
      ),
    },
    val,
    {
      title: 'Code',
      isWide: true,
      render: (row) => <code class="muted">{formatValue(row.code, 160)}</code>,
    },
    created,
  ],
  form: [VAL, { name: 'code', label: 'Code', required: true, kind: 'code' }, CREATED],
  note: 'If it is the latest, the one before becomes the latest. The only version of a val stays.',
  describe: describeVersion,
};
