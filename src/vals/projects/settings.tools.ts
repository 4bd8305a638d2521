import { Type } from 'typebox';
import { Choice } from '#engine/schema/common.js';
import { badRequest } from '#engine/state/errors.js';
import type { State } from '#vals/lib/state.collection.js';
import { BranchName, getBranchOf, getNamedProject, getOwnProject, Path, tool, Val } from '#vals/lib/tool.tools.js';
import { createVariable, listVariables, updateVariable } from './environment.rules.js';
import { getFile } from './files.rules.js';
import type { Project } from './project-records.collection.js';
import { NewVariableBody, variableView } from './projects.schema.js';

/** Source: what a client of the service shows. */
const BUSINESS = 'Restricted HTTP access requires a paid business plan';

const Token = Type.String({ description: 'Id of a bypass token' });
const Handle = Type.String({ description: 'Handle of a user' });
const Subdomain = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  description: 'The part before .val.run',
});

const NO_SCHEDULES = 'The emulator keeps no schedules, since it runs no code';

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const schedule = {
  type: Type.Optional(Choice(['cron', 'delay'], {})),
  cron: Text,
  delay: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  unit: Text,
};

const OfAccess = { guessed: ['val', 'org', 'user', 'tokenId'], scope: 'project:write', writes: true } as const;

export const settingTools = [
  tool('list_env_vars', 'List the environment variables of a val, without their values.', {
    input: Type.Object({ val: Val }),
    guessed: ['val'],
    scope: 'project:read',
    handle({ state, caller, args: { val } }) {
      const variables = Array.from(listVariables(state, getOwnProject({ state, caller }, val)), variableView);
      return { val, count: variables.length, variables };
    },
  }),
  tool('set_env_var', 'Set an environment variable of a val. No tool reads its value.', {
    input: Type.Object({ val: Val, ...NewVariableBody.properties }),
    hints: ['idempotent'],
    guessed: true,
    scope: 'project:write',
    writes: true,
    handle({ state, caller, now, args: { val, key, value, description } }) {
      const project = getOwnProject({ state, caller }, val);
      const settings = { value, description };
      const isNew = state.environment.get(project.id, key) === undefined;
      const variable = isNew
        ? createVariable(state, project, { key, ...settings }, now)
        : updateVariable(state, project, key, settings, now);
      return { val, ...variableView(variable) };
    },
  }),
  tool('read_interval_settings', 'Read when an interval runs. The emulator keeps no schedules, and says so.', {
    input: Type.Object({ val: Val, path: Path, branch: BranchName }),
    scope: 'project:read',
    handle({ state, caller, args: { val, path, branch } }) {
      assertInterval(state, getNamedProject({ state, caller }, val), path, branch);
      throw badRequest(NO_SCHEDULES);
    },
  }),
  tool('write_interval_settings', 'Set when an interval runs. The emulator keeps no schedules, and says so.', {
    input: Type.Object({
      ...{ val: Val, path: Path, branch: BranchName },
      intervalConfig: Type.Optional(Type.Object(schedule)),
      ...schedule,
    }),
    hints: ['idempotent'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, path, branch } }) {
      assertInterval(state, getOwnProject({ state, caller }, val), path, branch);
      throw badRequest(NO_SCHEDULES);
    },
  }),
  tool('set_custom_subdomain', 'Give the endpoint of a file another name. The emulator serves no endpoints.', {
    input: Type.Object({ val: Val, path: Path, branch: BranchName, subdomain: Subdomain }),
    guessed: ['branch'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, path, branch } }) {
      getFile(getBranchOf(state, getOwnProject({ state, caller }, val), branch).files.tree, path);
      throw badRequest('The emulator keeps no subdomains, since it serves no endpoints of vals');
    },
  }),
  tool('set_http_privacy', 'Set who can call the endpoints of a val.', {
    input: Type.Object({ val: Val, httpPrivacy: Choice(['public', 'restricted'], {}) }),
    hints: ['idempotent'],
    guessed: ['val', 'httpPrivacy'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, httpPrivacy } }) {
      getOwnProject({ state, caller }, val);
      if (httpPrivacy === 'restricted') throw badRequest(BUSINESS);
      return { val, httpPrivacy };
    },
  }),
  // No user of the emulator has a business plan.
  tool('list_allowed_users', 'List who can call the restricted endpoints of a val.', {
    input: Type.Object({ val: Val }),
    guessed: ['val'],
    scope: 'project:read',
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
  tool('add_allowed_user', 'Let a user call the restricted endpoints of a val.', {
    ...OfAccess,
    input: Type.Object({ val: Val, user: Handle }),
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
  tool('remove_allowed_user', 'Stop a user from calling the restricted endpoints of a val.', {
    ...OfAccess,
    input: Type.Object({ val: Val, user: Handle }),
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
  tool('create_bypass_token', 'Create a token that can call the restricted endpoints of a val.', {
    ...OfAccess,
    input: Type.Object({ val: Val }),
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
  tool('list_bypass_tokens', 'List the tokens that can call the restricted endpoints of a val.', {
    input: Type.Object({ val: Val }),
    guessed: ['val'],
    scope: 'project:read',
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
  tool('revoke_bypass_token', 'Revoke a token for the restricted endpoints of a val.', {
    ...OfAccess,
    hints: ['destructive'],
    input: Type.Object({ val: Val, tokenId: Token }),
    handle: ({ state, caller, args }) => refuse({ state, caller }, args.val),
  }),
];

/** @throws ApiError 404 for an unknown file, and 400 for one of another type */
function assertInterval(state: State, project: Project, path: string, branch: string | undefined): void {
  const { type } = getFile(getBranchOf(state, project, branch).files.tree, path);
  if (type !== 'interval') throw badRequest(`A file of the type ${type} has no interval: ${path}`);
}

/** Refuses what a business plan has. @throws ApiError */
function refuse(source: Parameters<typeof getNamedProject>[0], val: string): never {
  getOwnProject(source, val);
  throw badRequest(BUSINESS);
}
