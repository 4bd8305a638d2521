import { Type } from 'typebox';
import { controlRoute } from '../control/route.js';
import { strictObject } from '../schema/schema.js';
import { ClockStatus } from './clock.js';

const ClockBody = strictObject(
  {
    freeze: Type.Optional(
      Type.Union([Type.String(), Type.Literal(true)], {
        expected: 'a timestamp, or true',
        description: 'Stop at a timestamp, or now (true)',
      }),
    ),
    set: Type.Optional(Type.String({ description: 'Go to a timestamp' })),
    advance: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        expected: 'a duration, or milliseconds',
        description: 'Go forward by `10m`, or milliseconds',
      }),
    ),
    resume: Type.Optional(Type.Literal(true, { expected: 'true', description: 'Let it run again' })),
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
