import { Type } from 'typebox';
import { strictObject } from '../lib/schema.js';
import { ClockStatus } from '../sandbox/clock.js';
import { controlRoute } from './route.js';

const ClockBody = strictObject(
  {
    freeze: Type.Optional(
      Type.Union([Type.String(), Type.Literal(true)], {
        expected: 'a timestamp, or true',
        description: 'Stop the clock at a timestamp, or at the current time (true)',
      }),
    ),
    set: Type.Optional(Type.String({ description: 'Set the time; the clock stays frozen or running' })),
    advance: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        expected: 'a duration, or milliseconds',
        description: 'Move the clock forward by a duration such as 10m, or milliseconds',
      }),
    ),
    resume: Type.Optional(
      Type.Literal(true, { expected: 'true', description: 'Let the clock run from the time that it shows' }),
    ),
  },
  {
    title: 'ClockChange',
    minProperties: 1,
    maxProperties: 1,
    expected: 'exactly one of freeze, set, advance and resume',
  },
);

export const clockRoutes = [
  controlRoute('GET', '/_emulator/clock', 'Read the clock', {
    id: 'getClock',
    response: ClockStatus,
    handle: ({ sandbox }) => sandbox.clock.read(),
  }),
  controlRoute('PUT', '/_emulator/clock', 'Freeze, set, advance or resume the clock', {
    id: 'changeClock',
    tool: 'clock',
    body: ClockBody,
    response: ClockStatus,
    errors: [400, 403, 422],
    example: { body: { advance: '10m' } },
    handle({
      sandbox: {
        held: { clock },
      },
      body: { freeze, set, advance },
    }) {
      if (freeze !== undefined) return clock.freeze(freeze === true ? undefined : freeze);
      if (set !== undefined) return clock.set(set);
      return advance === undefined ? clock.resume() : clock.advance(advance);
    },
  }),
];
