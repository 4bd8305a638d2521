import { Type } from 'typebox';
import type { EventStream } from './event-feed.js';
import { controlRoute } from './route.js';

export const eventRoutes = [
  controlRoute('GET', '/_emulator/events', 'Follow what happens in the sandbox, by Server-Sent Events', {
    id: 'streamEvents',
    description:
      'The response stays open. A client that connects again sends the id of its last event as `Last-Event-ID`.',
    response: Type.Unsafe<EventStream>(Type.String({ description: 'Events in the format of Server-Sent Events' })),
    mediaType: 'text/event-stream',
    handle({ emulator, sandbox, request }) {
      const last = request.header('last-event-id');
      return emulator.follow({ sandbox, sandboxes: emulator.sandboxes, origin: request.origin, last });
    },
  }),
];
