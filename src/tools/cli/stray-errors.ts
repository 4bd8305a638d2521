import { inspect } from 'node:util';

/** The events of a process by which Node ends it, unless it has a listener. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Reports uncaught errors, and keeps the process running: of a promise that a handler does not return, or of a timer that it sets.
 * For processes of the emulator alone: in a program of the user, Node's rule holds, or the user's.
 * @param findRoute returns the name of the last route that was handled
 */
export function surviveStrayErrors(findRoute: () => string | undefined, report: (text: string) => void): Disposable {
  const onError = (error: unknown): void => {
    const route = findRoute();
    const place = route === undefined ? 'before the first handler' : `after the handler of ${route}`;
    const advice = 'A handler is synchronous: catch the errors of promises and timers that it starts.';
    report(`error that nothing caught, ${place}\n${inspect(error)}\n${advice}`);
  };
  for (const event of EVENTS) process.on(event, onError);
  return {
    [Symbol.dispose]() {
      for (const event of EVENTS) process.off(event, onError);
    },
  };
}
