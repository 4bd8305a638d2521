import { useEffect, useState } from 'preact/hooks';
import type { WrittenTest } from '../../../../src/engine/sandbox/make-test.js';
import { TEST_RUNNERS, type TestRunner } from '../../../../src/engine/sandbox/test-runners.js';
import { control } from '../../lib/api.js';
import { sortIds } from '../../lib/format.js';
import { Code } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { Dialog } from '../../ui/dialog.js';
import { DownloadActions } from '../../ui/download.js';
import { ErrorMessage } from '../../ui/elements.js';

const asRunner = (text: string): TestRunner => TEST_RUNNERS.find((name) => name === text) ?? 'vitest';

/** Requests as a test, with the data that they found. */
export function TestDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const [test, setTest] = useState<WrittenTest | undefined>(undefined);
  const [runner, setRunner] = useState<TestRunner>('vitest');
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    const choice = new AbortController();
    const { signal } = choice;
    control.makeTest({ requests: sortIds(ids), runner }, { signal }).then(setTest, (reason: unknown) => {
      if (!signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
    });
    return () => choice.abort();
  }, [runner]);
  return (
    <Dialog
      title="Turn into a test"
      onClose={onClose}
      footer={test && <DownloadActions text={test.code} file={test.file} type="text/plain" label="Copy the test" />}
    >
      {error && <ErrorMessage error={error} />}
      {!test && !error && <Loading />}
      {test && (
        <div class="stack">
          <label>
            Test runner{' '}
            <select value={runner} onChange={({ currentTarget }) => setRunner(asRunner(currentTarget.value))}>
              {TEST_RUNNERS.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
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
          {test.fixtures && (
            <div class="actions">
              <span>The test reads its data from a file beside it:</span>
              <DownloadActions text={test.fixtures.text} file={test.fixtures.file} kind="" label="Copy the fixture" />
            </div>
          )}
          <Code text={test.code} />
        </div>
      )}
    </Dialog>
  );
}
