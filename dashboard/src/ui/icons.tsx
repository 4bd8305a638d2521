/** Shapes of 16 × 16 pixels. */
const SHAPES = {
  overview: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3H2.5z',
  requests: 'M2.5 4h11M2.5 8h7.5M2.5 12h9.5',
  time: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.8v2.4h2.4M8 5.2V8l2 1.4',
  data: 'M2.5 4c0-1 2.5-1.7 5.5-1.7s5.5.7 5.5 1.7-2.5 1.7-5.5 1.7S2.5 5 2.5 4zM2.5 4v8c0 1 2.5 1.7 5.5 1.7s5.5-.7 5.5-1.7V4M2.5 8c0 1 2.5 1.7 5.5 1.7s5.5-.7 5.5-1.7',
  faults: 'M8.8 1.8 3.5 9H8l-.8 5.2L12.5 7H8z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.5',
  sandboxes: 'm8 2 5.5 3v6L8 14l-5.5-3V5zM2.5 5 8 8l5.5-3M8 8v6',
  api: 'M5 4 1.8 8 5 12M11 4l3.2 4L11 12M9.2 3 6.8 13',
  mail: 'M2 3.5h12v9H2zM2 4l6 5 6-5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  close: 'm4 4 8 8M12 4l-8 8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  next: 'M6.5 3.5 11 8l-4.5 4.5',
  down: 'm3.5 6.5 4.5 4.5 4.5-4.5',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  moon: 'M13.3 9.6A5.8 5.8 0 0 1 6.4 2.7a5.8 5.8 0 1 0 6.9 6.9z',
  fork: 'M5 5.2v5.6M5 5.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM5 13.8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11 5.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11 5.2v.8a2.5 2.5 0 0 1-2.5 2.5H5',
  rewind: 'M7.5 4 3 8l4.5 4zM13 4 8.5 8l4.5 4z',
  camera: 'M2.5 5h2.3l1-1.7h4.4l1 1.7h2.3v8h-11zM8 11.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  add: 'M8 3v10M3 8h10',
  edit: 'M3 13l.7-3L10.8 2.9l2.3 2.3L6 12.3z',
  remove: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9',
  send: 'M13.5 2.5 7 9M13.5 2.5l-4 11L7 9 2.5 6.5z',
  play: 'M5 3.2v9.6L12.5 8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  link: 'M9.5 3h3.5v3.5M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
  download: 'M8 2.5v7M4.8 6.8 8 10l3.2-3.2M3 13.5h10',
  signOut: 'M9.5 3H13v10H9.5M10 8H3M5.5 5.5 3 8l2.5 2.5',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
} as const;

export type IconName = keyof typeof SHAPES;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={SHAPES[name]} />
  </svg>
);
