import * as valEmulator from 'val-emulator';
import { check } from './check.mjs';

await check(valEmulator);
