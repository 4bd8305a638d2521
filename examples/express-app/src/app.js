import express from 'express';

/** An application of one's own: it keeps notes as vals, and tells what failed. */
export function createApp(vals) {
  const app = express();
  app.use(express.json());

  app.put('/notes/:name', async ({ params, body }, response) => {
    const { id } = await vals.save(params.name, JSON.stringify(body));
    response.json({ id });
  });

  app.get('/notes/:id', async ({ params }, response) => {
    const val = await vals.find(params.id);
    if (val) response.json(JSON.parse(val.code));
    else response.status(404).json({ message: 'There is no such note' });
  });

  app.get('/failures', async (_request, response) => {
    const failures = [];
    for await (const { error } of vals.failedRuns()) failures.push(error);
    response.json(failures);
  });

  app.use((error, _request, response, _next) => {
    response.status(502).json({ message: `The vals API said: ${error.message}` });
  });
  return app;
}
