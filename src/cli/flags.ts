import type { Options } from 'yargs';

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flag that sets an option: `--default-privacy` for `defaultPrivacy`. */
export const flagFor = (option: string): string => `--${words(option)}`;

/** The environment variable that sets a flag: `VAL_EMULATOR_DEFAULT_PRIVACY`. */
export const variableFor = (flag: string): string => `VAL_EMULATOR_${flag.replaceAll('-', '_').toUpperCase()}`;

/** The same flags, with what the environment says as their defaults. A variable that no flag has is nobody's business. */
export function withEnvironment<F extends Record<string, Options>>(flags: F, environment = process.env): F {
  const preset: Record<string, Options> = {};
  for (const [flag, options] of Object.entries(flags)) {
    const value = environment[variableFor(flag)];
    if (value !== undefined && value !== '') preset[flag] = { ...options, default: readAs(options.type, value) };
  }
  return { ...flags, ...preset };
}

function readAs(type: Options['type'], value: string): string | number | boolean {
  if (type === 'number') return Number(value);
  if (type === 'boolean') return !/^(?:0|false|no|off)$/i.test(value);
  return value;
}
