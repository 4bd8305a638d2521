import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ControlError, send, toControlError } from '../../lib/api.js';
import { formatNumber, toPrettyJson } from '../../lib/format.js';
import { at } from '../../lib/location.js';
import { Code } from '../../ui/code.js';
import { Dialog } from '../../ui/dialog.js';
import { DownloadActions } from '../../ui/download.js';
import { ErrorMessage } from '../../ui/elements.js';
import { selectedIds } from './selection.js';

/** Characters of a fixture that are shown. */
const MAX_SHOWN = 60_000;
const FILE = 'fixture.json';

type Fixture = Readonly<Record<string, unknown>>;

/** The selected records, and what they refer to, as a fixture. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [fixture, setFixture] = useState<Fixture | undefined>(undefined);
  const [error, setError] = useState<ControlError | undefined>(undefined);
  useEffect(() => {
    send<Fixture>('POST', '/export', { ...selectedIds(), at: at.value }).then(setFixture, (reason: unknown) =>
      setError(toControlError(reason)),
    );
  }, []);
  const text = useMemo(() => (fixture === undefined ? '' : `${toPrettyJson(fixture)}\n`), [fixture]);
  return (
    <Dialog
      title="Export as a fixture"
      onClose={onClose}
      footer={fixture && <DownloadActions text={text} file={FILE} label="Copy the fixture" />}
    >
      {error && <ErrorMessage error={error} />}
      {fixture && (
        <div class="stack">
          <p>{describe(fixture)}, with all records that they refer to. The file loads by itself:</p>
          <Code text={`npx val-emulator start --fixtures ${FILE}`} language="bash" />
          {text.length > MAX_SHOWN && (
            <p class="muted">
              These are its first {formatNumber(MAX_SHOWN)} characters of {formatNumber(text.length)}.
            </p>
          )}
          <Code text={text.slice(0, MAX_SHOWN)} language="json" />
        </div>
      )}
    </Dialog>
  );
}

const describe = (fixture: Fixture): string =>
  Object.entries(fixture)
    .flatMap(([name, records]) =>
      Array.isArray(records) && records.length > 0 ? [`${formatNumber(records.length)} ${name}`] : [],
    )
    .join(', ');
