import type { Sandbox } from '../../src/index.js';

const id = (last: number): string => `b4a7c500-0000-4000-8000-00000000000${last}`;

/** The path parameters of the examples about projects. */
export const PROJECT_PARAMS: Readonly<Record<string, string>> = {
  val_id: id(1),
  branch_id: id(2),
  file_id: id(3),
  org_id: id(4),
  username: 'ada',
  val_name: 'website',
  key: 'WEATHER_KEY',
};

/** Adds a project with a branch to fork and a variable, an organization, and what has the name `hello` already. */
export function addProject({ add }: Sandbox): void {
  const project = 'ada/website';
  add.organization({ username: 'analysts', id: id(4) });
  add.membership({ organization: 'analysts', user: 'ada', role: 'owner', id: id(5) });
  add.membership({ organization: 'analysts', user: 'grace', id: id(6) });
  add.project({
    ...{ owner: 'ada', name: 'website', id: id(1), privacy: 'public', description: 'Pages of the team' },
    files: {
      'main.ts': { text: "export default () => new Response('Hello');", type: 'http', id: id(3) },
      'src/team.ts': 'export const team = 3;',
      hello: '',
    },
    env: { WEATHER_KEY: { value: 's3cret', description: 'Of the weather service' }, hello: '' },
  });
  add.project({ owner: 'ada', name: 'hello' });
  add.branch({ project, name: 'draft', id: id(2) });
  add.branch({ project, name: 'hello' });
}
