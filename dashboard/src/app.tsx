import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { place } from './lib/location.js';
import { ApiPage } from './pages/api.js';
import { ClockPage } from './pages/clock.js';
import { FaultsPage } from './pages/faults.js';
import { OverviewPage } from './pages/overview.js';
import { RequestsPage } from './pages/requests.js';
import { SandboxesPage } from './pages/sandboxes.js';
import { TimePage } from './pages/time.js';
import { Empty, Link, Page } from './ui/elements.js';
import { lazyPage } from './ui/lazy.js';
import { ConnectionBanner, MissingSandboxBanner, Sidebar, TimeBanner } from './ui/shell.js';
import { Toasts } from './ui/toast.js';

// The largest page, with tables, forms and an editor.
const DataPage = lazyPage('Data', async () => (await import('./pages/data.js')).DataPage);

const PAGES: Readonly<Record<string, { readonly title: string; readonly Content: ComponentType }>> = {
  '': { title: 'Overview', Content: OverviewPage },
  requests: { title: 'Requests', Content: RequestsPage },
  time: { title: 'Time', Content: TimePage },
  data: { title: 'Data', Content: DataPage },
  faults: { title: 'Faults and limits', Content: FaultsPage },
  clock: { title: 'Clock', Content: ClockPage },
  sandboxes: { title: 'Sandboxes', Content: SandboxesPage },
  api: { title: 'API', Content: ApiPage },
};

const NotFound = () => (
  <Page title="Not found">
    <Empty title="There is no such page">
      <Link to="/">Go to the overview</Link>
    </Empty>
  </Page>
);

export function App() {
  const [section = ''] = place.value.segments;
  const { title, Content } = PAGES[section] ?? { title: 'Not found', Content: NotFound };
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page takes the focus, so that a screen reader reads it.
  useEffect(() => {
    document.title = `${title} – val-emulator`;
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [section]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Sidebar section={section} />
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionBanner />
        <MissingSandboxBanner />
        <TimeBanner />
        <Content />
      </main>
      <Toasts />
    </>
  );
}
