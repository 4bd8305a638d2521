/** json-server 0.17 with the same records in memory. */
import { createServer } from 'node:http';
import jsonServer from 'json-server';
import { listen } from './ready.js';
import { readWorld, showRun } from './world.js';

const { vals, runs } = readWorld(process.argv[2] ?? '');
const app = jsonServer.create();
app.use(jsonServer.bodyParser);
app.use(jsonServer.router({ vals: [...vals.values()], runs: runs.map(showRun) }));
listen(createServer(app));
