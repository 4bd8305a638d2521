import { type Case, chosen, operation, type Row, recorded } from '../case.js';
import { addVariable, exactPage, fails, makeProject, NOT_AUTHORIZED, pageInOrder, VARIABLES } from './project-steps.js';
import { having, shows, values, variable } from './schemas.js';
import { send } from './steps.js';

const KEY = `${VARIABLES}/KEY`;
const change = (body: object, key = 'KEY') => send(`PUT ${VARIABLES}/${key}`, body);
const made = (others: object, status: number): Row => [[makeProject(), addVariable(others)], status];
const changed = (body: object, status: number): Row => [[makeProject(), addVariable(), change(body)], status];
const missing = fails(404, 'Environment variable or project not found');

export const environmentCases: readonly Case[] = [
  ...operation('listEnvironmentVariables', 'GET /v2/vals/{val_id}/environment_variables', [
    recorded('list', {
      'made: A variable is in the list as it was created': [
        [makeProject(), addVariable({ description: 'Text' }), `GET ${VARIABLES}`],
        exactPage('{variable}'),
      ],
    }),
    chosen('order', {
      'by-key: Variables are sorted by key': [
        [makeProject(), addVariable({ key: 'B' }), addVariable({ key: 'A' }), `GET ${VARIABLES}`],
        pageInOrder({ key: 'A' }, { key: 'B' }),
      ],
    }),
    chosen('owner', {
      'second: The second account sees none': [
        [makeProject(), addVariable(), { send: `GET ${VARIABLES}`, as: 'second' }],
        NOT_AUTHORIZED,
      ],
    }),
  ]),
  ...operation('createEnvironmentVariable', 'POST /v2/vals/{val_id}/environment_variables', [
    recorded('bounds', {
      'key-1: A key of one letter is accepted': made({ key: 'a' }, 201),
      'key-8192: A key of 8,192 letters is accepted': made({ key: '{long.8192}' }, 201),
      'key-0: An empty key is a 400': made({ key: '' }, 400),
      'key-8193: A key of 8,193 letters is a 400': made({ key: '{long.8193}' }, 400),
      'digit: A key that begins with a digit is a 400': made({ key: '1a' }, 400),
      'value-8192: A value of 8,192 characters is accepted': made({ value: '{long.8192}' }, 201),
      'value-8193: A value of 8,193 characters is a 400': made({ value: '{long.8193}' }, 400),
      'description-1024: A description of 1,024 characters is kept': [
        [makeProject(), addVariable({ description: '{long.1024}' })],
        values({ description: '{long.1024}' }, 201),
      ],
      'description-1025: A description of 1,025 characters is a 400': made({ description: '{long.1025}' }, 400),
    }),
    recorded('created', {
      'keys: The response has exactly the documented keys': [
        [makeProject(), addVariable()],
        shows({ allOf: [variable, having({ key: 'KEY', description: null })] }, { status: 201 }),
      ],
      'same: The response is the variable in the list': [
        [makeProject(), addVariable(), `GET ${VARIABLES}`],
        exactPage('{variable}'),
      ],
      'taken: A key in use is a 409': [[makeProject(), addVariable(), addVariable()], fails(409, 'Key already exists')],
    }),
    chosen('case', {
      'case: A key in lower case is another one': [[makeProject(), addVariable(), addVariable({ key: 'key' })], 201],
    }),
    chosen('owner', {
      'second: The second account creates none': [[makeProject(), addVariable({}, 'second')], NOT_AUTHORIZED],
    }),
  ]),
  ...operation('updateEnvironmentVariable', 'PUT /v2/vals/{val_id}/environment_variables/{key}', [
    recorded('created', {
      'keys: The response has exactly the documented keys': [
        [makeProject(), addVariable(), change({ value: '2', description: 'Text' })],
        shows(
          { allOf: [variable, having({ key: 'KEY', description: 'Text', createdAt: '{variable.createdAt}' })] },
          {
            status: 201,
          },
        ),
      ],
      'same: The response is the variable in the list': [
        [
          ...[makeProject(), addVariable(), { ...change({ value: '2', description: 'Text' }), save: 'changed' }],
          `GET ${VARIABLES}`,
        ],
        exactPage('{changed}'),
      ],
      'key-1: A key of one letter can be changed': [
        [makeProject(), addVariable({ key: 'a' }), change({ value: '2' }, 'a')],
        201,
      ],
      'value-8192: A value of 8,192 characters is accepted': changed({ value: '{long.8192}' }, 201),
      'value-8193: A value of 8,193 characters is a 400': changed({ value: '{long.8193}' }, 400),
      'description-1024: A description of 1,024 characters is accepted': changed(
        { value: '2', description: '{long.1024}' },
        201,
      ),
      'description-1025: A description of 1,025 characters is a 400': changed(
        { value: '2', description: '{long.1025}' },
        400,
      ),
    }),
    recorded('unknown-key', {
      'unknown: An unknown key is a 404': [[makeProject(), change({ value: '2' })], missing],
    }),
    chosen('description', {
      'description: A description stays': [
        [makeProject(), addVariable({ description: 'Text' }), change({ value: '2' })],
        values({ description: 'Text' }, 201),
      ],
    }),
    chosen('owner', {
      'second: The second account changes none': [
        [makeProject(), addVariable(), { ...change({ value: '2' }), as: 'second' }],
        NOT_AUTHORIZED,
      ],
    }),
  ]),
  ...operation('deleteEnvironmentVariable', 'DELETE /v2/vals/{val_id}/environment_variables/{key}', [
    recorded('gone', {
      'status: The response is a 204 without a body': [
        [makeProject(), addVariable(), `DELETE ${KEY}`],
        { status: 204, body: 'none' },
      ],
      'once: A deleted variable is a 404': [[makeProject(), addVariable(), `DELETE ${KEY}`, `DELETE ${KEY}`], missing],
      'key-1: A key of one letter can be deleted': [
        [makeProject(), addVariable({ key: 'a' }), `DELETE ${VARIABLES}/a`],
        204,
      ],
    }),
    chosen('owner', {
      'second: The second account deletes none': [
        [makeProject(), addVariable(), { send: `DELETE ${KEY}`, as: 'second' }],
        NOT_AUTHORIZED,
      ],
    }),
  ]),
];
