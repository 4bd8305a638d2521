// Runs a program, and prints the routes and tools that responded to it without an error, by the journal of the emulator.
//
//   node called.js <program> [argument…]

import { spawnSync } from 'node:child_process';

const { status } = spawnSync(process.execPath, process.argv.slice(2), { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(status ?? 1);
const response = await fetch(`${process.env.VAL_EMULATOR_URL}/_emulator/requests`);
const requests = await response.json();
const called = requests.filter((request) => request.status < 300 && !request.response.body?.isError);
console.log(JSON.stringify([...new Set(called.map(({ route }) => route))].sort()));
