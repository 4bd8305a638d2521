import { inspect } from 'node:util';

/** The events of a process by which Node ends it, unless somebody listens. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Reports errors that nobody catches, and keeps the process running: a promise that a handler does not return, or a timer that it
 * sets. For processes of our own alone, since a program of the user has Node's rule, or one of its own.
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
