/** json-server 0.17 with the same records in memory. */
import { createServer } from 'node:http';
import jsonServer from 'json-server';
import { readFixture, renderRun } from './fixture.js';
import { listen } from './ready.js';

const { vals, runs } = readFixture(process.argv[2] ?? '');
const app = jsonServer.create();
app.use(jsonServer.bodyParser);
app.use(jsonServer.router({ vals: [...vals.values()], runs: runs.map(renderRun) }));
listen(createServer(app));
