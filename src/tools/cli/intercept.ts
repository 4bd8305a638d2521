import { type CliIo, type Flags, fail, failValue, flag, switchFlag } from './command.js';
import type { AnyEmulator } from './start-service.js';

/** The hosts of the real service: of its API, and of its login. */
const SERVICE_NAMES = ['api.val.town', 'www.val.town'];
const NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

export const interceptFlags = {
  intercept: {
    ...switchFlag(`Serve requests to ${SERVICE_NAMES.join(' and ')}, or --intercept=NAME,NAME`),
    takesValue: true,
  },
  sandbox: flag('With --intercept: the sandbox that responds'),
  only: switchFlag('With --intercept: refuse connections to all other hosts'),
  strict: switchFlag('With --only: exit code 1 if a connection was refused'),
} as const satisfies Flags;

interface InterceptOptions {
  readonly names: readonly string[];
  readonly sandbox: string | undefined;
  readonly only: boolean;
  readonly strict: boolean;
}

/** Checks the flags. Undefined without `--intercept`. @throws CliError for a wrong one */
export function parseIntercept({
  intercept,
  ...others
}: Omit<InterceptOptions, 'names'> & { readonly intercept: unknown }): InterceptOptions | undefined {
  const { sandbox, only, strict } = others;
  if (strict && !only) fail('--strict: use it with --only.');
  if (intercept === false && only) fail('--only: use it with --intercept.');
  if (intercept === false && sandbox !== undefined) fail('--sandbox: use it with --intercept.');
  if (intercept === false) return undefined;
  const names = intercept === true ? SERVICE_NAMES : String(intercept).toLowerCase().split(',');
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) failValue('intercept', wrong, `the name of a host, such as ${SERVICE_NAMES[0]}`);
  return { names, ...others };
}

/** Intercepts the requests of a program. The modules for it are loaded here. */
export async function intercept(
  emulator: AnyEmulator,
  { strict, ...options }: InterceptOptions,
  { env, stderr }: CliIo,
) {
  const { makeVariables, openInterception } = await import('../intercept/index.js');
  const interception = await openInterception(emulator, { ...options, env });
  return {
    makeVariables: () => makeVariables(interception.info, env),
    /** Prints the refused connections. Returns the exit code of the command. */
    report(code: number): number {
      const refused = interception.readRefused();
      if (refused.size === 0) return code;
      const list = [...refused].map(([address, count]) => (count === 1 ? address : `${address} (${count} times)`));
      stderr.write(`val-emulator: --only refused connections to ${list.join(', ')}.\n`);
      return strict ? code || 1 : code;
    },
    [Symbol.asyncDispose]: () => interception[Symbol.asyncDispose](),
  };
}
