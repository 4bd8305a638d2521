type Call = (...args: never[]) => unknown;

/**
 * Runs a call of a program, whose errors begin their stacks at the line of the program: without frames of the package. Errors of the
 * language, such as a TypeError, keep all frames, since they may be defects.
 * @param entry what the program has called
 */
export function atCaller<R>(entry: Call, run: () => R): R;
export function atCaller(entry: Call, run: () => unknown): unknown {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    throw hideFrames(error, captureStack(entry));
  }
  if (!(result instanceof Promise)) return result;
  // Now, since the program is not on the stack later.
  const mark = captureStack(entry);
  return result.catch((error: unknown) => {
    throw hideFrames(error, mark);
  });
}

/** Lets the methods of a class or an object run as {@link atCaller} does. Returns it. */
export function showCallers<T extends object>(target: T): T {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    const method: unknown = descriptor.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const entry = function (this: unknown, ...args: unknown[]): unknown {
      return atCaller(entry, () => Reflect.apply(method, this, args));
    };
    Object.defineProperty(entry, 'name', { value: name });
    Object.defineProperty(target, name, { ...descriptor, value: entry });
  }
  return target;
}

/** Remembers the lines below a function. Undefined where the runtime cannot. */
function captureStack(entry: Call): Pick<Error, 'stack'> | undefined {
  if (!('captureStackTrace' in Error)) return undefined;
  const mark: Pick<Error, 'stack'> = {};
  Error.captureStackTrace(mark, entry);
  return mark;
}

function hideFrames(error: unknown, mark: Pick<Error, 'stack'> | undefined): unknown {
  if (!(error instanceof Error) || error.name in globalThis) return error;
  const { stack = '' } = mark ?? {};
  const start = stack.search(/^ +at /m);
  if (start >= 0) error.stack = `${error.name}: ${error.message}\n${stack.slice(start)}`;
  return error;
}
