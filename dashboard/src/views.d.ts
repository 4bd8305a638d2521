// The build makes it of the files in pages/data/views, each of which exports the view of its name (scripts/dashboard.js).
declare module 'virtual:views' {
  import type { View } from './pages/data/view.js';

  export const views: Readonly<Record<string, View>>;
}
