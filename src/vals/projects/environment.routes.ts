import { Page, PagingQuery, page } from '#engine/api/pagination.js';
import { route } from '#vals/lib/route.schema.js';
import { createVariable, deleteVariable, listVariables, updateVariable } from './environment.rules.js';
import { getWritableProject } from './projects.rules.js';
import {
  NewVariableBody,
  ProjectPath,
  VariableBody,
  VariableItem,
  VariablePath,
  variableView,
} from './projects.schema.js';

const OWN = "owner: Another owner's project is a 404 with `Not authorized` in its message.";

export const environmentRoutes = [
  route('GET', '/v2/vals/{val_id}/environment_variables', 'List the environment variables of a project', {
    id: 'listEnvironmentVariables',
    description: 'Returns keys and descriptions, without values.',
    unofficial: true,
    auth: 'required',
    scope: 'project:read',
    params: ProjectPath,
    query: PagingQuery,
    response: Page('EnvironmentVariablePage', VariableItem),
    errors: [400, 401, 403, 404],
    rules: {
      record: ['list: The list has the keys of the project, by limit and offset. No response has a value.'],
      chosen: ['order: The order is by key. Only who can change the project sees them.', OWN],
    },
    handle: ({ state, params, caller, query, links }) =>
      page(listVariables(state, getWritableProject(state, params.val_id, caller)), query, links, variableView),
  }),
  route('POST', '/v2/vals/{val_id}/environment_variables', 'Create an environment variable', {
    id: 'createEnvironmentVariable',
    description: 'A key that the project has already is a 409.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    body: NewVariableBody,
    response: VariableItem,
    status: 201,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'bounds: key and value have at most 8,192 characters, a description 1,024. A key has letters, digits and `_`, and begins with no digit.',
        'created: The response is a 201 without the value. A key in use is a 409 with `Key already exists`.',
      ],
      chosen: ['case: Keys differ by case.', OWN],
    },
    example: { body: { key: 'API_KEY', value: 's3cret', description: 'Of the weather service' } },
    handle: ({ state, params, caller, body, now }) =>
      variableView(createVariable(state, getWritableProject(state, params.val_id, caller), body, now)),
  }),
  route('PUT', '/v2/vals/{val_id}/environment_variables/{key}', 'Change an environment variable', {
    id: 'updateEnvironmentVariable',
    description: 'Replaces the value. Without a description, the old one stays.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: VariablePath,
    body: VariableBody,
    response: VariableItem,
    status: 201,
    errors: [400, 401, 403, 404],
    rules: {
      record: [
        'created: The response is a 201 without the value.',
        'unknown-key: An unknown key is a 404 with `Environment variable or project not found`.',
      ],
      chosen: ['description: Without a description, the old one stays.', OWN],
    },
    example: { body: { value: 'n3w' } },
    handle: ({ state, params, caller, body, now }) =>
      variableView(updateVariable(state, getWritableProject(state, params.val_id, caller), params.key, body, now)),
  }),
  route('DELETE', '/v2/vals/{val_id}/environment_variables/{key}', 'Delete an environment variable', {
    id: 'deleteEnvironmentVariable',
    description: 'The key can be used again.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: VariablePath,
    errors: [400, 401, 403, 404],
    rules: { record: ['gone: The response is 204, and 404 the second time.'], chosen: [OWN] },
    handle: ({ state, params, caller }) =>
      deleteVariable(state, getWritableProject(state, params.val_id, caller), params.key),
  }),
];
