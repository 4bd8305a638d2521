import { createEmulator } from 'val-emulator';
import { Api } from './api.js';
import { IGNORED, TASKS } from './tasks.js';
import { TOWN } from './town.js';

/** Lets an agent do each task in a fork of the town, at the same time, and returns a score for each. */
export async function play(agent) {
  const emulator = await createEmulator({ fixtures: TOWN });
  try {
    // The tokens of a fork are valid in it only: the API gives no agent the work of another.
    const forks = emulator.forks(TASKS.length, { tokens: true });
    return await Promise.all(forks.map((fork, i) => attempt(emulator, fork, agent, TASKS[i])));
  } finally {
    await emulator.close();
  }
}

async function attempt(emulator, fork, agent, { name, instruction, expect, allow }) {
  let error;
  try {
    await agent[name](new Api({ url: fork.url, token: fork.users[0].token }), instruction);
  } catch (thrown) {
    error = thrown.message;
  }
  const [{ pass, score, missing, unexpected }] = emulator.scoreForks([fork], { expect, allow, ignore: IGNORED });
  return { name, pass, score, missing: missing.length, unexpected: unexpected.length, error };
}

/** Formats scores as a table, with the mean. */
export function formatScores(results) {
  const rows = results.map(({ name, pass, score, missing, unexpected }) => [
    ...[name, pass ? 'pass' : 'fail', score.toFixed(2), String(missing), String(unexpected)],
  ]);
  const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length;
  const passed = results.filter(({ pass }) => pass).length;
  const table = [
    ['task', 'result', 'score', 'missing', 'unexpected'],
    ...rows,
    [`all ${results.length}`, `${passed} pass`, mean.toFixed(2)],
  ];
  return table
    .map((cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(12))).join(''))
    .join('\n');
}
