import { render } from 'preact';
import { App } from './app.js';
import { rootControl, sandboxName } from './lib/api.js';
import { loadCollections } from './lib/collections.js';
import { connect } from './lib/live.js';
import { MissingSandbox } from './ui/shell.js';

const element = document.getElementById('app');

/** Shows the pages once their sandbox exists, since their first request would create it. */
async function start(): Promise<void> {
  const [others] = await Promise.all([
    sandboxName === '' ? undefined : rootControl.listSandboxes().catch(() => undefined),
    loadCollections(),
  ]);
  const isMissing = others?.every(({ name }) => name !== sandboxName);
  if (element) render(isMissing ? <MissingSandbox /> : <App />, element);
  if (isMissing) setTimeout(start, 1_000);
  else connect();
}

void start();
