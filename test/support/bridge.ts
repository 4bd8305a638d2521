import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Emulator } from '../../src/index.js';

/** Answers HTTP from the emulator's in-process `fetch`, so that tests written for sockets hold for that as well. */
export const bridge =
  (emulator: Emulator): RequestListener =>
  async (request, response) => {
    const { method = 'GET', headers, url = '/' } = request;
    const sent = await text(request);
    const answer = await emulator.fetch(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, values]) =>
        [values ?? []].flat().map((value): [string, string] => [name, value]),
      ),
      // The platform's fetch sends no body with these.
      ...(sent === '' || method === 'GET' || method === 'HEAD' ? {} : { body: sent }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  };
