import { base, download } from '../../lib/api.js';
import { FILES } from '../../lib/files.js';
import { useResource } from '../../lib/resource.js';
import type { Summary } from '../../lib/types.js';
import { Code } from '../../ui/code.js';
import { ActionButton, Panel } from '../../ui/elements.js';

/** Buttons that download this sandbox as a file, for others. */
export const Downloads = () => (
  <>
    {Object.values(FILES).map(({ title, path, file, hint }) => (
      <ActionButton key={file} icon="download" label={`${title}: ${hint}`} action={() => download(path, file)}>
        {title}
      </ActionButton>
    ))}
  </>
);

/** Where the data of this sandbox are, and how they outlive the emulator. */
export function StoragePanel() {
  const { data } = useResource<Summary>('/summary');
  if (!data) return null;
  const { folder, failure } = data;
  return (
    <Panel title="Storage">
      <div class="panel-body stack">
        {failure !== null && <p role="alert">{failure}</p>}
        {folder === null ? (
          <p>
            This sandbox is in memory: it is gone when the emulator ends. Download it above, write it to a file with{' '}
            <code>state --out</code>, or start the emulator with <code>--data</code>, which keeps it in a folder.
          </p>
        ) : (
          <p>
            In the folder <code>{folder}</code>: records, clock, faults, snapshots and the history are there after the
            next start with the same <code>--data</code>.
          </p>
        )}
        <Code
          language="bash"
          text={
            folder === null
              ? `val-emulator state --out state.json --url ${base}\nval-emulator start --data ./demo`
              : `val-emulator data export --data ${folder} --out state.json`
          }
        />
      </div>
    </Panel>
  );
}
