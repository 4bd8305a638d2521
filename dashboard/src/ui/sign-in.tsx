import { useState } from 'preact/hooks';
import { rootControl } from '../lib/api.js';
import { readStored, store } from '../lib/storage.js';
import { Page } from './elements.js';
import { Form, useSubmission } from './form.js';

/** Whether this browser has signed in, which the page cannot read of the cookie. */
const KEY = 'val-emulator signed in';

export const hasSignedIn = (): boolean => readStored('localStorage', KEY) !== null;

export async function signOut(): Promise<void> {
  await rootControl.signOut();
  localStorage.removeItem(KEY);
  window.location.reload();
}

/** Asks for the control token, which a browser on another machine needs. The address stays, and shows its page then. */
export function SignIn() {
  const [token, setToken] = useState('');
  const submission = useSubmission();
  const signIn = async () => {
    await rootControl.signIn({ token });
    store('localStorage', KEY, 'true');
    window.location.reload();
  };
  return (
    <Page title="Sign in" subtitle="This emulator asks browsers on other machines for its control token.">
      <Form
        label="Sign in"
        submission={submission}
        button="Sign in"
        kind="primary"
        disabled={token === ''}
        onSubmit={() => void submission.run(signIn)}
      >
        <label class="field">
          <span class="field-label">Control token</span>
          <input
            type="password"
            autocomplete="current-password"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <span class="hint">The value of --control-token. The browser keeps a random id in its place.</span>
        </label>
      </Form>
    </Page>
  );
}
