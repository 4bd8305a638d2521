import { at } from '../lib/location.js';
import { Page } from '../ui/elements.js';
import { OpenFile } from '../ui/open-file.js';
import { PastNote } from '../ui/past.js';
import { SandboxList } from './sandboxes/list.js';
import { SeedPanel } from './sandboxes/seed.js';
import { SnapshotPanel } from './sandboxes/snapshots.js';
import { Downloads, StoragePanel } from './sandboxes/storage.js';

export const SandboxesPage = () => (
  <Page
    title="Sandboxes"
    actions={
      <>
        <OpenFile />
        <Downloads />
      </>
    }
    subtitle="A sandbox is a separate copy of the data that the emulator began with. It has its own records, clock, faults, requests and history."
  >
    {at.value !== undefined && (
      <PastNote>Sandboxes and snapshots are those of now. Reset, seed and restore in the current state.</PastNote>
    )}
    <SandboxList />
    <SnapshotPanel />
    {at.value === undefined && (
      <>
        <SeedPanel />
        <StoragePanel />
      </>
    )}
  </Page>
);
