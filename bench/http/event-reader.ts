/** Reads the events of an emulator, as a dashboard does, and drops them: `node event-reader.js URL`. */
import { get } from 'node:http';

get(`${process.argv[2]}/_emulator/events`, (response) => response.resume());
