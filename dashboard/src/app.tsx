import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connection, isRead, refusal } from './lib/live.js';
import { place } from './lib/location.js';
import { lookUp } from './lib/look-up.js';
import { ApiPage } from './pages/api.js';
import { ClockPage } from './pages/clock.js';
import { FaultsPage } from './pages/faults.js';
import { MailPage } from './pages/mail.js';
import { OverviewPage } from './pages/overview.js';
import { RequestsPage } from './pages/requests.js';
import { SandboxesPage } from './pages/sandboxes.js';
import { TimePage } from './pages/time.js';
import { Loading } from './ui/commit.js';
import { Empty, Link, Page } from './ui/elements.js';
import { lazyPage } from './ui/lazy.js';
import { DropArea } from './ui/open-file.js';
import { Palette } from './ui/palette.js';
import { ConnectionBanner, Sidebar, TimeBanner } from './ui/shell.js';
import { SignIn } from './ui/sign-in.js';
import { Toasts } from './ui/toast.js';

// The largest page, with tables, forms and an editor.
const DataPage = lazyPage('Data', async () => (await import('./pages/data.js')).DataPage);

const PAGES: Readonly<Record<string, ComponentType>> = {
  '': OverviewPage,
  requests: RequestsPage,
  time: TimePage,
  data: DataPage,
  mail: MailPage,
  faults: FaultsPage,
  clock: ClockPage,
  sandboxes: SandboxesPage,
  api: ApiPage,
};

const NotFound = () => (
  <Page title="Not found">
    <Empty title="There is no such page">
      <Link to="/">Go to the overview</Link>
    </Empty>
  </Page>
);

/** Until the emulator has responded. When it does not, the banner says so. */
const FirstLoad = () => (
  <div class="page">
    <Loading />
  </div>
);

export function App() {
  const [section = ''] = place.value.segments;
  const Content = lookUp(PAGES, section) ?? NotFound;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page takes the focus, so that a screen reader reads it.
  useEffect(() => {
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
        {refusal.value?.status === 403 ? (
          <SignIn />
        ) : (
          <>
            <ConnectionBanner />
            <TimeBanner />
            {isRead.value ? <Content /> : connection.value === 'lost' ? null : <FirstLoad />}
          </>
        )}
      </main>
      <Palette />
      <DropArea />
      <Toasts />
    </>
  );
}
