import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { place } from './lib/location.js';
import { ApiPage } from './pages/api.js';
import { ClockPage } from './pages/clock.js';
import { DataPage } from './pages/data.js';
import { FaultsPage } from './pages/faults.js';
import { OverviewPage } from './pages/overview.js';
import { RequestsPage } from './pages/requests.js';
import { SandboxesPage } from './pages/sandboxes.js';
import { TimePage } from './pages/time.js';
import { Empty, Link } from './ui/elements.js';
import { ConnectionBanner, Sidebar, TimeBanner } from './ui/shell.js';
import { Toasts } from './ui/toast.js';

const PAGES: Readonly<Record<string, { readonly title: string; readonly Page: ComponentType }>> = {
  '': { title: 'Overview', Page: OverviewPage },
  requests: { title: 'Requests', Page: RequestsPage },
  time: { title: 'Time', Page: TimePage },
  data: { title: 'Data', Page: DataPage },
  faults: { title: 'Faults and limits', Page: FaultsPage },
  clock: { title: 'Clock', Page: ClockPage },
  sandboxes: { title: 'Sandboxes', Page: SandboxesPage },
  api: { title: 'API', Page: ApiPage },
};

const NotFound = () => (
  <div class="page">
    <Empty title="There is no such page">
      <Link to="/">Go to the overview</Link>
    </Empty>
  </div>
);

export function App() {
  const [section = ''] = place.value.segments;
  const { title, Page } = PAGES[section] ?? { title: 'Not found', Page: NotFound };
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
        <TimeBanner />
        <Page />
      </main>
      <Toasts />
    </>
  );
}
