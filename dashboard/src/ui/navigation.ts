import { computed } from '@preact/signals';
import { hasCollection } from '../lib/collections.js';
import type { IconName } from './icons.js';

interface Section {
  readonly section: string;
  readonly title: string;
  readonly icon: IconName;
  /** The collection that the page shows. Without it, there is no page. Default: the page is about all */
  readonly collection?: string;
}

const SECTIONS: readonly Section[] = [
  { section: '', title: 'Overview', icon: 'overview' },
  { section: 'requests', title: 'Requests', icon: 'requests' },
  { section: 'time', title: 'Time', icon: 'time' },
  { section: 'data', title: 'Data', icon: 'data' },
  { section: 'mail', title: 'Mail', icon: 'mail', collection: 'emails' },
  { section: 'faults', title: 'Faults and limits', icon: 'faults' },
  { section: 'clock', title: 'Clock', icon: 'clock' },
  { section: 'sandboxes', title: 'Sandboxes', icon: 'sandboxes' },
  { section: 'api', title: 'API', icon: 'api' },
];

/** The pages, in the order of the sidebar. */
export const navigation = computed(() =>
  SECTIONS.filter(({ collection }) => collection === undefined || hasCollection(collection)),
);
