import { type Json, type Mine, type ProjectModel, pick, projectModel, type Tree, without } from './model.js';
import type { Random, Step } from './writers.js';

// Writes of projects, which are the vals of /v2: files in branches, and environment variables.

/** Begins the names of projects among the vals of a user. */
const PROJECT = 'project:';
const PATHS = ['a.ts', 'src/a.ts', 'src/lib/b.ts'];
const KEYS = ['API_KEY', 'MODE'];
const MOST_PROJECTS = 2;
const MOST_BRANCHES = 3;
/** Files and directories of a branch. */
const MOST_FILES = 10;

const isBelow = (path: string, directory: string): boolean => path.startsWith(`${directory}/`);
const dirname = (path: string): string => path.split('/').slice(0, -1).join('/');
const omit = (tree: Tree, isGone: (path: string) => boolean): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !isGone(path)));

/** Changes a project. @param name with the prefix */
function change(mine: Mine, name: string, changes: (project: ProjectModel) => Partial<ProjectModel>): Mine {
  const project = mine[name]?.project;
  if (!project) throw new Error(`there is no ${name}`);
  return { ...mine, [name]: projectModel({ ...project, ...changes(project) }) };
}

/** Draws the next write of a user to a project. @param marker unique @param text unique, for a file */
export function drawProjectWrite(user: string, mine: Mine, marker: string, text: string, random: Random): Step<Mine> {
  const names = Object.keys(mine).filter((each) => each.startsWith(PROJECT));
  const name = pick(random, names);
  const project = name === undefined ? undefined : mine[name]?.project;
  if (name === undefined || !project || (names.length < MOST_PROJECTS && random() < 0.1)) {
    const made = `p${marker}`;
    const privacy = pick(random, ['public', 'private']) ?? '';
    return {
      send: { method: 'POST', path: '/v2/vals', as: user, body: { name: made, privacy } },
      apply: (model, response) => {
        const branches = { main: { id: undefined, trees: [{}] } };
        return { ...model, [PROJECT + made]: projectModel({ id: response?.id, privacy, branches, environment: {} }) };
      },
    };
  }
  const root = `/v2/vals/${project.id}`;
  const kind = random();
  if (kind < 0.04) return { send: { method: 'DELETE', path: root, as: user }, apply: (model) => without(model, name) };
  if (kind < 0.2) {
    const key = pick(random, KEYS) ?? '';
    const path = `${root}/environment_variables`;
    const { [key]: known, ...environment } = project.environment;
    if (known !== undefined && random() < 0.3) {
      return {
        send: { method: 'DELETE', path: `${path}/${key}`, as: user },
        apply: (model) => change(model, name, () => ({ environment })),
      };
    }
    const send =
      known === undefined
        ? { method: 'POST', path, as: user, body: { key, value: marker } }
        : { method: 'PUT', path: `${path}/${key}`, as: user, body: { value: marker } };
    return { send, apply: (model) => change(model, name, () => ({ environment: { ...environment, [key]: marker } })) };
  }
  const branch = pick(random, Object.keys(project.branches)) ?? 'main';
  const { id, trees = [] } = project.branches[branch] ?? {};
  const isMain = branch === 'main';
  if (kind < 0.3 && Object.keys(project.branches).length < MOST_BRANCHES) {
    const made = `b${marker}`;
    const body = { name: made, ...(!isMain && { branchId: id }) };
    return {
      send: { method: 'POST', path: `${root}/branches`, as: user, body },
      apply: (model, response) => {
        const fork = { id: response?.id, trees: trees.slice(-1) };
        return change(model, name, ({ branches }) => ({ branches: { ...branches, [made]: fork } }));
      },
    };
  }
  if (kind < 0.35 && !isMain) {
    return {
      send: { method: 'DELETE', path: `${root}/branches/${id}`, as: user },
      apply: (model) => change(model, name, ({ branches }) => ({ branches: without(branches, branch) })),
    };
  }
  const { method, path, body, tree } = drawFileChange(trees.at(-1) ?? {}, marker, text, random);
  const query = new URLSearchParams({ path, ...(method === 'DELETE' && { recursive: 'true' }) });
  if (!isMain) query.set('branch_id', id ?? '');
  const next = { id, trees: [...trees, tree] };
  return {
    send: { method, path: `${root}/files?${query}`, as: user, body },
    apply: (model) => change(model, name, ({ branches }) => ({ branches: { ...branches, [branch]: next } })),
  };
}

interface FileRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The files after it. */
  readonly tree: Tree;
}

/** Draws a request that changes the files of a branch. */
function drawFileChange(tree: Tree, marker: string, text: string, random: Random): FileRequest {
  const paths = Object.keys(tree);
  const known = pick(random, paths);
  const kind = random();
  if (paths.length > MOST_FILES) return { method: 'DELETE', path: '', tree: {} };
  if (known !== undefined && kind < 0.15) {
    const left = omit(tree, (path) => path === known || isBelow(path, known));
    return { method: 'DELETE', path: known, tree: left };
  }
  if (known !== undefined && kind < 0.3) {
    // A directory moves with all that is in it.
    const to = `m${marker}`;
    const moved = Object.entries(tree).map(([path, content]) => {
      return path === known || isBelow(path, known) ? [to + path.slice(known.length), content] : [path, content];
    });
    return { method: 'PUT', path: known, body: { name: to, parent_path: null }, tree: Object.fromEntries(moved) };
  }
  const path = pick(random, PATHS) ?? '';
  const directory = dirname(path);
  if (directory !== '' && !(directory in tree)) {
    const made = { ...(dirname(directory) !== '' && { [dirname(directory)]: null }), [directory]: null };
    return { method: 'POST', path: directory, body: { type: 'directory' }, tree: { ...tree, ...made } };
  }
  const body = path in tree ? { content: text } : { type: 'script', content: text };
  return { method: path in tree ? 'PUT' : 'POST', path, body, tree: { ...tree, [path]: text } };
}

/** Files with their ids, which moves keep. */
type Placed = Readonly<Record<string, { readonly id: string; readonly text: string | null }>>;

/** Reads the projects of an exported state: each with its owner, and its name among the vals. */
export function readProjects(exported: Json): [owner: string, name: string, project: ProjectModel][] {
  const branches: Json[] = exported.branches;
  const all = new Map<string, readonly Placed[]>();
  const read = (project: string, name: string): readonly Placed[] => {
    const key = `${project}@${name}`;
    const branch = branches.find((each) => each.project === project && each.name === name);
    const commits: Json[] = exported.commits.filter((each: Json) => each.branch === key);
    const start = branch.from === null ? {} : read(project, branch.from)[branch.version];
    const trees: Placed[] = all.has(key) ? [] : [start ?? {}];
    for (const { version, files } of commits) {
      if (all.has(key)) break;
      const next = applyCommit(trees.at(-1) ?? {}, files);
      // Version 0 has the files of a branch whose parent is gone.
      if (version === 0) trees[0] = next;
      else if (version === trees.length) trees.push(next);
      else throw new Error(`${key} has ${trees.length - 1} versions before version ${version}`);
    }
    const found = all.get(key) ?? trees;
    all.set(key, found);
    return found;
  };
  return exported.projects.map(({ owner, name, id, privacy }: Json) => {
    const reference = `${owner}/${name}`;
    const own = branches.filter(({ project }) => project === reference);
    const variables: Json[] = exported.environment.filter(({ project }: Json) => project === reference);
    return [
      owner,
      PROJECT + name,
      {
        ...{ id, privacy },
        branches: Object.fromEntries(
          own.map((branch) => [branch.name, { id: branch.id, trees: read(reference, branch.name).map(withoutIds) }]),
        ),
        environment: Object.fromEntries(variables.map(({ key, value }) => [key, value])),
      },
    ];
  });
}

const withoutIds = (tree: Placed): Tree =>
  Object.fromEntries(Object.entries(tree).map(([path, { text }]) => [path, text]));

/** Applies a commit of an export. */
function applyCommit(before: Placed, files: Json): Placed {
  const texts = new Map(Object.values(before).map(({ id, text }) => [id, text]));
  const ids = new Set(Object.values(files).map((file) => Object(file).id));
  const kept = Object.entries(before).filter(([path, { id }]) => files[path] !== null && !ids.has(id));
  const put = Object.entries<Json>(files).flatMap(([path, file]) => {
    return file === null ? [] : [[path, { id: file.id, text: file.text ?? texts.get(file.id) ?? null }]];
  });
  return Object.fromEntries([...kept, ...put]);
}

/** Reads a version of each branch of a user by the API. Returns how many files it compared. @param ask sends a GET */
export async function checkFiles(
  mine: Mine,
  random: Random,
  ask: (path: string) => Promise<Json>,
  check: (found: unknown, expected: unknown, path: string) => void,
): Promise<number> {
  let count = 0;
  for (const { project } of Object.values(mine)) {
    for (const { id, trees } of Object.values(project?.branches ?? {})) {
      // Mostly the latest one, which is made of all commits.
      const version = random() < 0.6 ? trees.length - 1 : Math.floor(random() * trees.length);
      const tree = trees[version] ?? {};
      const query = `branch_id=${id}&version=${version}`;
      const root = `/v2/vals/${project?.id}/files`;
      const list = `${root}?${query}&path=&recursive=true&limit=100`;
      const { data } = await ask(list);
      check(
        data.map(({ path }: Json) => path),
        Object.keys(tree).sort(),
        list,
      );
      for (const [path, text] of Object.entries(tree)) {
        if (text === null) continue;
        const content = `${root}/content?${query}&path=${encodeURIComponent(path)}`;
        check(await ask(content), text, content);
        count++;
      }
    }
  }
  return count;
}
