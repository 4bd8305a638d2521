const valEmulator = require('val-emulator');

import('./check.mjs').then(({ check }) => check(valEmulator));
