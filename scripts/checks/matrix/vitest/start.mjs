import { createEmulator } from 'val-emulator';

/** Starts the emulator in which the plugin finds modules. */
export default async function start() {
  const emulator = await createEmulator({
    fixtures: {
      users: [{ username: 'ada' }],
      vals: [{ author: 'ada', name: 'twice', code: 'export const twice = (n: number): number => n * 2;' }],
      projects: [
        {
          owner: 'ada',
          name: 'site',
          files: {
            'main.ts': "export { greet } from './lib/greet.ts';\nexport const site: string = 'main';",
            'lib/greet.ts': "export const greet = (): string => 'a stored greeting';",
          },
        },
      ],
    },
  });
  process.env.VAL_EMULATOR_URL = emulator.url;
  process.env.VAL_EMULATOR_TOKEN = 'ada-token';
  return () => emulator.close();
}
