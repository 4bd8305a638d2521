import { useEffect, useState } from 'preact/hooks';
import { sortIds } from '../../lib/format.js';
import { requests } from '../../lib/live.js';
import { Code } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { Dialog } from '../../ui/dialog.js';
import { DownloadActions } from '../../ui/download.js';
import { ErrorMessage } from '../../ui/elements.js';
import { stateAfter, stateBefore } from '../../ui/travel.js';
import { isWrite } from './query.js';
import { readEntries } from './replay.js';
import { FIXTURE_FILE, type WrittenTest, writeTest } from './to-test.js';

/** Reads requests and writes a test of them. @throws Error if the history has no longer the state that the first one found */
async function write(ids: readonly string[]): Promise<WrittenTest> {
  const sorted = sortIds(ids);
  const first = requests.value.find(({ id }) => id === sorted[0]);
  const before = first && (isWrite(first) ? stateBefore(first.id) : stateAfter(first));
  if (!before) throw new Error(`The history no longer has the state before ${sorted[0]}. Choose later requests.`);
  return await writeTest(await readEntries(sorted), before.at);
}

/** Requests as a test, with the data that they found. */
export function TestDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const [test, setTest] = useState<WrittenTest | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    write(ids).then(setTest, (reason: unknown) =>
      setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
  }, []);
  return (
    <Dialog
      title="Turn into a test"
      onClose={onClose}
      footer={
        test && <DownloadActions text={test.code} file="requests.test.ts" type="text/plain" label="Copy the test" />
      }
    >
      {error && <ErrorMessage error={error} />}
      {!test && !error && <Loading />}
      {test && (
        <div class="stack">
          <p>
            The requests, with the data that they found and what the emulator responded. What differs each time, such as
            new ids, is expected by its type.
          </p>
          {test.notes.length > 0 && (
            <ul class="reasons">
              {test.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          {test.fixture !== undefined && (
            <div class="actions">
              <span>The test reads its data from a file beside it:</span>
              <DownloadActions text={test.fixture} file={FIXTURE_FILE} kind="" label="Copy the fixture" />
            </div>
          )}
          <Code text={test.code} />
        </div>
      )}
    </Dialog>
  );
}
