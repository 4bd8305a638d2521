// Calls every function of examples/sdk, and so every operation of the SDK. The test writes it next to their sources.
import { listMine, listPublic, lookUp, signIn } from './src/account.js';
import { listFailures } from './src/monitor.js';
import { deleteFile, listFiles, publishReport, readRows, recordVisits } from './src/report.js';
import { closeBranch, configure, findEndpoint, open, openBranch, pull, push, remove, rename } from './src/site.js';

const { username } = await signIn();
await lookUp(username);

const { id } = await open(username, 'site');
await open(username, 'site');
const main = await openBranch(id, 'main');
await push(id, main, { 'main.http.tsx': 'one', 'mail/daily.cron.ts': 'two', 'docs/en/a.md': '# A' });
await push(id, main, { 'main.http.tsx': 'uno', 'docs/en/a.md': '# A' });
await findEndpoint(id, 'main.http.tsx');
const draft = await openBranch(id, 'draft');
await rename(id, draft, 'docs/en/a.md', 'b.md');
await pull(id, draft);
await pull(id, main, 1);
await closeBranch(id, draft);
await configure(id, { MODE: 'test', KEY: 's3cret' });
await configure(id, { MODE: 'live' });
await listMine();
await listPublic();
await remove(id, 'site');

await recordVisits([{ month: 'may', day: 1 }]);
await publishReport({ name: 'may', title: 'May', picture: new Uint8Array([1, 2, 3]), to: 'grace@example.com' });
await readRows('may');
await listFiles();
await deleteFile('may', 'picture.png');

await listFailures(new Date(Date.now() - 3_600_000));
