import type { Server } from 'node:http';

/** Listens on the port of the environment. */
export const listen = (server: Server): Server => server.listen(Number(process.env.PORT), '127.0.0.1');
