import { at } from '../lib/location.js';
import { Page } from '../ui/elements.js';
import { OpenFile } from '../ui/open-file.js';
import { PastNote } from '../ui/past.js';
import { SandboxList } from './sandboxes/list.js';
import { SeedPanel } from './sandboxes/seed.js';
import { SnapshotPanel } from './sandboxes/snapshots.js';

export const SandboxesPage = () => (
  <Page
    title="Sandboxes"
    actions={<OpenFile />}
    subtitle="A sandbox is an isolated copy of the seed data: with records, clock, faults, journal and history of its own."
  >
    {at.value !== undefined && (
      <PastNote>Sandboxes and snapshots are those of now. Reset, seed and restore in the current state.</PastNote>
    )}
    <SandboxList />
    <SnapshotPanel />
    {at.value === undefined && <SeedPanel />}
  </Page>
);
