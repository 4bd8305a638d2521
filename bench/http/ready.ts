import type { Server } from 'node:http';

/** Listens where the environment says, as a contender is told to. */
export const listen = (server: Server): Server => server.listen(Number(process.env.PORT), '127.0.0.1');
