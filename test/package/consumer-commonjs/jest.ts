import {
  beforeEach,
  createEmulator,
  describe,
  emulatorTest,
  expect,
  FixtureError,
  it,
  type Sandbox,
  test,
} from 'val-emulator/jest';

test('has a sandbox, and can have an emulator', async ({ emulator }) => {
  const sandbox: Sandbox = await createEmulator({ listen: false });
  expect(sandbox).toHaveReceived('POST /v1/vals', { times: 1 });
  expect(() => emulator.reseed('empty')).not.toThrow(FixtureError);
  // @ts-expect-error: there is no such member
  emulator.nothing;
});

describe('tables', () => {
  beforeEach(() => {});

  it.each([
    ['ada', 1],
    ['eve', 2],
  ] as const)('%s', ({ emulator }, name: string, number: number) => {
    emulator.add.val({ author: 'ada', name, code: String(number) });
  });
  test.skip.each(['ada'])('%s', ({ emulator }, name: string) => {
    emulator.add.val({ author: 'ada', name, code: '1' });
    // @ts-expect-error: a row has letters
    const number: number = name;
    return number === 1 ? undefined : Promise.resolve();
  });
  test.concurrent.skip.each<{ name: string }>`
    name
    ${'ada'}
  `('$name', ({ emulator }, { name }) => {
    emulator.add.val({ author: 'ada', name, code: '1' });
  });
  test.failing('fails', async () => {}, 600_000);
  test.todo('is to be written');
});

emulatorTest(
  { fixtures: 'empty' },
  { beforeEach: ({ emulator }) => emulator.reset(), afterEach: async ({ emulator }) => emulator.clearRequests() },
)('has hooks', () => {});
