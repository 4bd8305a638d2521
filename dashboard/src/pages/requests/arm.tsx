import { useState } from 'preact/hooks';
import { type ControlError, control, toControlError } from '../../lib/api.js';
import type { RequestRecord } from '../../lib/types.js';
import { Dialog } from '../../ui/dialog.js';
import { Button, ErrorMessage, Field } from '../../ui/elements.js';
import { toast } from '../../ui/toast.js';

/** Reads a number of a form; undefined if it is empty. */
const toNumber = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

/** Arms a fault for requests like one of the journal. */
export function ArmDialog({ entry, onClose }: { readonly entry: RequestRecord; readonly onClose: () => void }) {
  const { route, user, status } = entry;
  const [effect, setEffect] = useState(status === 0 ? 'reset' : 'status');
  const [code, setCode] = useState(String(status >= 400 ? status : 503));
  const [delay, setDelay] = useState('');
  const [times, setTimes] = useState('1');
  const [isForUser, setForUser] = useState(false);
  const [error, setError] = useState<ControlError | undefined>(undefined);
  const arm = async () => {
    try {
      const { id } = await control.armFault({
        route: route ?? undefined,
        ...(effect === 'reset' ? { reset: true } : { status: toNumber(code) }),
        delay: toNumber(delay),
        times: toNumber(times),
        user: (isForUser && user) || undefined,
      });
      toast(`Armed fault ${id}.`);
      onClose();
    } catch (reason) {
      setError(toControlError(reason));
    }
  };
  return (
    <Dialog title="Arm a fault like this" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void arm();
        }}
      >
        <p>
          Requests to <span class="mono">{route}</span> get this response in place of the true one.
        </p>
        <div class="fields">
          <Field label="Effect">
            <select value={effect} onChange={({ currentTarget }) => setEffect(currentTarget.value)}>
              <option value="status">Respond with a status</option>
              <option value="reset">Reset the connection</option>
            </select>
          </Field>
          {effect === 'status' && (
            <Field label="Status">
              <input
                type="number"
                min="200"
                max="599"
                required
                value={code}
                onInput={({ currentTarget }) => setCode(currentTarget.value)}
              />
            </Field>
          )}
          <Field label="Times" hint="Empty: until it is disarmed">
            <input type="number" min="1" value={times} onInput={({ currentTarget }) => setTimes(currentTarget.value)} />
          </Field>
          <Field label="Delay in milliseconds">
            <input
              type="number"
              min="0"
              max="600000"
              value={delay}
              onInput={({ currentTarget }) => setDelay(currentTarget.value)}
            />
          </Field>
        </div>
        {user !== null && (
          <label class="toggle">
            <input
              type="checkbox"
              checked={isForUser}
              onChange={({ currentTarget }) => setForUser(currentTarget.checked)}
            />
            Only for requests of {user}
          </label>
        )}
        {error && <ErrorMessage error={error} />}
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" icon="faults">
            Arm
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
