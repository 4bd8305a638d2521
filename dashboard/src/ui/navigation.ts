import type { IconName } from './icons.js';

/** The pages, in the order of the sidebar. */
export const NAVIGATION: readonly { readonly section: string; readonly title: string; readonly icon: IconName }[] = [
  { section: '', title: 'Overview', icon: 'overview' },
  { section: 'requests', title: 'Requests', icon: 'requests' },
  { section: 'time', title: 'Time', icon: 'time' },
  { section: 'data', title: 'Data', icon: 'data' },
  { section: 'mail', title: 'Mail', icon: 'mail' },
  { section: 'faults', title: 'Faults and limits', icon: 'faults' },
  { section: 'clock', title: 'Clock', icon: 'clock' },
  { section: 'sandboxes', title: 'Sandboxes', icon: 'sandboxes' },
  { section: 'api', title: 'API', icon: 'api' },
];
