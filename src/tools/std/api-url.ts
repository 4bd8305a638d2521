import { findPlace } from './place.js';

/**
 * The base URL of the API: of the emulator when this module is loaded.
 * @throws NoEmulatorError if none is known
 */
export const API_URL: string = findPlace('std/api-url', import.meta.url).url;
