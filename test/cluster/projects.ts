import type { ControlModel } from '../model/control.js';
import type { Route } from '../model/pipeline.js';
import type { Branch, Json, Project, ProjectFile } from '../model/records.js';
import { type Call, iso, refuse } from '../model/request.js';

// The project of each sandbox, and the model of the requests to it. As in the rest of the model, values never change in place.

const id = (n: number): string => `00000000-0000-4000-8000-0000000000${n}`;
const TIME = '2029-12-01T00:00:00.000Z';
const AT = Date.parse(TIME);

export const PROJECT = id(20);
/** The branches of the seed: `main` and a fork of it. */
export const BRANCHES: readonly string[] = [id(21), id(22)];
export const PATHS: readonly string[] = ['a.ts', 'b.ts', 'c.ts'];
export const VARIABLES: readonly string[] = ['API_KEY', 'MODE'];

const [MAIN = '', DRAFT = ''] = BRANCHES;
const FILES: readonly ProjectFile[] = ['a.ts', 'b.ts'].map((path, i) => {
  return { id: id(23 + i), path, text: `// ${path}`, version: 1, at: AT };
});

const COMMIT = {
  ...{ branch: 'ada/site@main', version: 1, kind: 'multiple', createdAt: TIME },
  files: Object.fromEntries(FILES.map((file) => [file.path, { id: file.id, type: 'script', text: file.text }])),
};
export const projectSeed = {
  projects: [{ owner: 'ada', name: 'site', id: PROJECT, createdAt: TIME }],
  branches: [
    { project: 'ada/site', name: 'main', id: MAIN, createdAt: TIME },
    { project: 'ada/site', name: 'draft', id: DRAFT, createdAt: TIME },
  ],
  commits: [{ ...COMMIT, branch: MAIN }],
};

const common = { createdAt: AT, updatedAt: AT };
export const seededProject: Project = {
  ...{ id: PROJECT, owner: 'ada', name: 'site', at: AT, commits: [COMMIT], variables: [] },
  branches: [
    { id: MAIN, name: 'main', ...common, from: null, trees: [[], FILES] },
    { id: DRAFT, name: 'draft', ...common, from: { id: MAIN, name: 'main', version: 1 }, trees: [FILES] },
  ],
};

const versionOf = ({ trees }: Branch): number => trees.length - 1;
const SITE = 'ada/site';

function fileView(base: string, branch: Branch, version: number, file: ProjectFile): Json {
  return {
    ...{ name: file.path, id: file.id, path: file.path, version: file.version, updatedAt: iso(file.at) },
    type: 'script',
    links: {
      self: `${base}/v2/files/${file.id}`,
      html: `https://www.val.town/x/${SITE}/branch/${branch.name}/code/${file.path}`,
      module: `https://esm.town/v/${SITE}@${version}-${branch.name}/${file.path}`,
    },
  };
}

const branchView = (base: string, branch: Branch): Json => ({
  ...{ name: branch.name, id: branch.id, version: versionOf(branch), forkedBranchId: branch.from?.id ?? null },
  ...{ createdAt: iso(branch.createdAt), updatedAt: iso(branch.updatedAt) },
  links: {
    self: `${base}/v2/vals/${PROJECT}/branches/${branch.id}`,
    html: `https://www.val.town/x/${SITE}/branch/${branch.name}`,
  },
});

const variableView = ({ key, at, updatedAt }: Project['variables'][number]): Json => {
  return { key, description: null, createdAt: iso(at), updatedAt: iso(updatedAt) };
};

/** Makes the routes of projects that are drawn. */
export function projectRoutes(model: ControlModel): Route[] {
  const getProject = (): Project => model.state.projects[0] ?? refuse(404);
  const store = (changes: Partial<Project>): void => {
    model.state = { ...model.state, projects: [{ ...getProject(), ...changes }] };
  };
  const getBranch = (wanted: string | null | undefined): Branch =>
    getProject().branches.find((each) => each.id === wanted) ?? refuse(404);
  const getTree = (branch: Branch, call: Call): readonly ProjectFile[] =>
    branch.trees[Number(call.query.get('version') ?? versionOf(branch))] ?? refuse(404);
  const pathOf = ({ query }: Call): string => query.get('path') ?? '';
  const bodyOf = (call: Call): Json => Object(call.json());
  /** Adds a version with one change. */
  const commit = (branch: Branch, path: string, file: ProjectFile | undefined, written: Json | null): void => {
    const others = (branch.trees.at(-1) ?? []).filter((each) => each.path !== path);
    const tree = [...others, ...(file ? [file] : [])].sort((a, b) => (a.path < b.path ? -1 : 1));
    const next = { ...branch, trees: [...branch.trees, tree], updatedAt: model.state.now };
    const { branches, commits } = getProject();
    const made = {
      ...{ branch: `${SITE}@${branch.name}`, version: versionOf(next), kind: 'single' },
      ...{ createdAt: iso(model.state.now), files: { [path]: written } },
    };
    store({
      branches: branches.map((each) => (each.id === branch.id ? next : each)),
      commits: [...commits, made],
    });
  };
  const write = (call: Call, branch: Branch, fileId: string): Json => {
    const text = String(bodyOf(call).content);
    const path = pathOf(call);
    const file = { id: fileId, path, text, version: versionOf(branch) + 1, at: model.state.now };
    commit(branch, path, file, { id: fileId, type: 'script', text });
    return fileView(call.request.base, branch, file.version, file);
  };
  const find = (call: Call, tree: readonly ProjectFile[]) => tree.find(({ path }) => path === pathOf(call));
  const latest = (branch: Branch) => branch.trees.at(-1) ?? [];
  const getVariable = (key: string | undefined) =>
    getProject().variables.find((each) => each.key === key) ?? refuse(404);
  const root = '/v2/vals/{val_id}';
  const variables = `${root}/environment_variables`;
  return [
    [
      `POST ${root}/files`,
      201,
      (call) => {
        const branch = getBranch(call.query.get('branch_id'));
        if (find(call, latest(branch))) refuse(409);
        return write(call, branch, call.learn('id'));
      },
    ],
    [
      `PUT ${root}/files`,
      200,
      (call) => {
        const branch = getBranch(call.query.get('branch_id'));
        return write(call, branch, (find(call, latest(branch)) ?? refuse(404)).id);
      },
    ],
    [
      `DELETE ${root}/files`,
      204,
      (call) => {
        const branch = getBranch(call.query.get('branch_id'));
        const file = find(call, latest(branch)) ?? refuse(404);
        commit(branch, file.path, undefined, null);
      },
    ],
    [
      `GET ${root}/files/content`,
      200,
      (call) => (find(call, getTree(getBranch(call.query.get('branch_id')), call)) ?? refuse(404)).text,
    ],
    [
      `GET ${root}/files`,
      200,
      (call) => {
        const branch = getBranch(call.query.get('branch_id'));
        const version = Number(call.query.get('version') ?? versionOf(branch));
        const { base } = call.request;
        return call.page(getTree(branch, call).map((file) => fileView(base, branch, version, file)));
      },
    ],
    [
      `POST ${root}/branches`,
      201,
      (call) => {
        const name = String(bodyOf(call).name);
        const { branches } = getProject();
        if (branches.some((each) => each.name === name)) refuse(409);
        const main = getBranch(MAIN);
        const { now } = model.state;
        const made: Branch = {
          ...{ id: call.learn('id'), name, createdAt: now, updatedAt: now, trees: [latest(main)] },
          from: { id: MAIN, name: 'main', version: versionOf(main) },
        };
        store({ branches: [...branches, made] });
        return branchView(call.request.base, made);
      },
    ],
    [
      `GET ${root}/branches`,
      200,
      (call) => call.page(getProject().branches.map((each) => branchView(call.request.base, each))),
    ],
    [
      `DELETE ${root}/branches/{branch_id}`,
      204,
      (call) => {
        const gone = getBranch(call.params[1]);
        const { branches, commits } = getProject();
        store({
          branches: branches.filter((each) => each !== gone),
          commits: commits.filter((each) => each.branch !== `${SITE}@${gone.name}`),
        });
      },
    ],
    [
      `POST ${variables}`,
      201,
      (call) => {
        const key = String(bodyOf(call).key);
        const known = getProject().variables;
        if (known.some((each) => each.key === key)) refuse(409);
        const made = { key, at: model.state.now, updatedAt: model.state.now };
        store({ variables: [...known, made] });
        return variableView(made);
      },
    ],
    [
      `PUT ${variables}/{key}`,
      201,
      (call) => {
        const old = getVariable(call.params[1]);
        const made = { ...old, updatedAt: model.state.now };
        store({ variables: getProject().variables.map((each) => (each === old ? made : each)) });
        return variableView(made);
      },
    ],
    [
      `DELETE ${variables}/{key}`,
      204,
      (call) => {
        const gone = getVariable(call.params[1]);
        store({ variables: getProject().variables.filter((each) => each !== gone) });
      },
    ],
    [
      `GET ${variables}`,
      200,
      (call) =>
        call.page(
          getProject()
            .variables.toSorted((a, b) => (a.key < b.key ? -1 : 1))
            .map(variableView),
        ),
    ],
  ];
}
