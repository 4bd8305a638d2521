/** Constants of the definitions, which the build computes: a command that reads or writes a file needs no definitions. */
import { definitions } from '#vals/service/service.collection.js';

const { names, fileKeys, folders } = definitions;
/** What reading a file of fixtures depends on. */
export const FILES = { names, fileKeys, folders };
