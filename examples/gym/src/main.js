import { careful, hasty } from './agents.js';
import { formatScores, play } from './gym.js';

for (const [name, agent] of Object.entries({ careful, hasty })) {
  console.log(`The ${name} agent:\n\n${formatScores(await play(agent))}\n`);
}
