import { Hub } from './lib/hub.js';

// The worker of all pages of an emulator, which stands beside their files.

const hub = new Hub(new URL('../events', location.href).href);

addEventListener('connect', (event) => {
  if (event instanceof MessageEvent) for (const port of event.ports) hub.add(port);
});
