import { expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '#tools/client/index.js';
import { emulate } from '../../support/one-node.js';

test('GET /_emulator/confidence has a row for each route, collection and tool', async () => {});
void connect; void z; void emulate;
