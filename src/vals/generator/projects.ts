import { makeWeightedSampler } from '#engine/lib/rng.js';
import { mapInSteps, type Steps } from '#engine/lib/steps.js';
import type { Input } from '#vals/service/service.collection.js';
import { type Ago, formatAgo, HOUR } from './calendar.js';
import type { GeneratorContext } from './context.js';
import type { Person } from './people.js';
import { drawParams, type Values } from './text.js';
import type { ParamValue, Slot, Template } from './themes.js';
import { type Imported, makeDraft, renderText, writeHistory } from './val.js';
import { chooseName } from './vals.js';

/** The projects of a dataset, and what their branch main has after its first commit. */
interface Projects {
  readonly projects: readonly Input<'projects'>[];
  /** Oldest first for each branch. */
  readonly commits: readonly Input<'commits'>[];
}

/** How the name of a file ends that runs. Templates of other types become no project. */
const ENDS: Readonly<Partial<Record<Template['type'], string>>> = {
  http: '.http.ts',
  interval: '.cron.ts',
  email: '.email.ts',
};
const LONGEST_DESCRIPTION = 64;
const BRANCHES = ['draft', 'next', 'experiment', 'fix'];

/** A version of a file. */
interface Edit {
  readonly path: string;
  readonly ago: Ago;
  readonly text: string;
}

/** Creates the projects of all people, oldest first. They have files of the same kinds as vals, which import one another. */
export function* makeProjects(people: readonly Person[], context: GeneratorContext): Steps<Projects> {
  const rng = context.rng.fork('projects');
  const { templates } = context.data;
  const shared = templates.filter(({ provides, needs = [] }) => provides !== undefined && needs.length === 0);
  const slots = new Set(shared.map(({ provides }) => provides));
  const entries = templates.filter(
    ({ type, provides, needs = [] }) => ENDS[type] && provides === undefined && needs.every((slot) => slots.has(slot)),
  );
  const taken = new Set<string>();
  const made = yield* mapInSteps(planProjects(), writeProject);
  return { projects: made.map(({ project }) => project), commits: made.flatMap(({ commits }) => commits) };

  function planProjects(): { owner: Person; created: Ago }[] {
    const sampleOwner = makeWeightedSampler(people, ({ activity }) => activity);
    const plans: { owner: Person; created: Ago }[] = [];
    while (plans.length < context.size.projects) {
      const owner = sampleOwner(rng) ?? people[0];
      if (!owner) break;
      plans.push({ owner, created: context.timeAt(rng.next(), HOUR, owner.joined) });
    }
    return plans.sort((a, b) => b.created - a.created);
  }

  function writeProject({ owner, created }: { owner: Person; created: Ago }) {
    const weigh = (template: Template) => (owner.themes.some((theme) => theme.templates.includes(template)) ? 5 : 1);
    const sample = makeWeightedSampler(entries, weigh);
    const files = new Map<string, Edit[]>();
    const names = new Set<string>();
    const libraries = new Map<Slot, Imported>();
    const first = draw(sample(rng), created);
    const name = toProjectName(chooseName(owner.username, rng.shuffle(first.template.names), first.params, taken));
    addFile('main', first);
    for (let more = rng.int(0, 2); more > 0; more--) {
      const other = draw(sample(rng), created);
      addFile(chooseName('', rng.shuffle(other.template.names), other.params, names), other);
    }
    const readme = writeReadme();
    const project = `${owner.username}/${name}`;
    const initial = [...files].map(([path, [start]]) => [path, start?.text ?? ''] as const);
    const later = [...files.values()].flatMap((edits) => edits.slice(1)).sort((a, b) => b.ago - a.ago);
    const { main, branches } = splitBranch(later);
    const description = readme.split('\n').find((line) => /^[A-Z]/.test(line) && line.length <= LONGEST_DESCRIPTION);
    return {
      project: {
        ...{ owner: owner.username, name },
        privacy: rng.bool(0.6) ? 'public' : rng.bool(0.4) ? 'unlisted' : 'private',
        description: description ?? null,
        createdAt: formatAgo(created),
        files: Object.fromEntries([...initial, ['README.md', readme]]),
        ...listVariables(),
        ...(branches.length > 0 && { branches }),
      } as const satisfies Input<'projects'>,
      commits: main.map((edit) => ({ branch: `${project}@main`, kind: 'single' as const, ...toCommit(edit) })),
    };

    /** Adds a file that runs, with what it imports. */
    function addFile(fileName: string, { template, params }: Drawn): void {
      const path = `${fileName}${ENDS[template.type] ?? '.ts'}`;
      if (files.has(path)) return;
      const { needs = [], uses = [] } = template;
      const imports = new Map<Slot, Imported>();
      for (const slot of [...needs, ...uses]) {
        if (!slots.has(slot) || (!needs.includes(slot) && rng.bool(0.25))) continue;
        imports.set(slot, findLibrary(slot));
      }
      addHistory(path, { template, params }, fileName, imports);
    }

    function findLibrary(slot: Slot): Imported {
      const found = libraries.get(slot);
      if (found) return found;
      const library = draw(rng.pick(shared.filter(({ provides }) => provides === slot)), created);
      const own = chooseName('', rng.shuffle(library.template.names), library.params, names);
      const imported = { author: owner, name: own, url: `./lib/${own}.ts` };
      libraries.set(slot, imported);
      addHistory(`lib/${own}.ts`, library, own, new Map());
      return imported;
    }

    function addHistory(path: string, drawn: Drawn, fileName: string, imports: ReadonlyMap<Slot, Imported>): void {
      const { template } = drawn;
      const draft = makeDraft({ author: owner, name: fileName, template, imports, created, popularity: 1 });
      const { versions } = writeHistory(draft, drawn.params, { ...context, rng });
      files.set(
        path,
        versions.map((version) => ({ path, ago: version.created, text: version.code })),
      );
    }

    function writeReadme(): string {
      const { template, params } = first;
      if (template.readme === undefined) return `# ${name}\n`;
      const draft = makeDraft({ author: owner, name, template, imports: libraries, created, popularity: 1 });
      return renderText(template.readme, draft, { stage: 0, hasBug: false, params });
    }

    /** The variables that the code reads, with values of no meaning. */
    function listVariables() {
      const code = [...files.values()].flatMap((edits) => edits.map(({ text }) => text)).join('\n');
      const keys = new Set(Array.from(code.matchAll(/Deno\.env\.get\("([A-Z][A-Z0-9_]*)"\)/g), ([, key = '']) => key));
      const env = [...keys].sort().map((key) => [key, `secret-${rng.int(100_000, 999_999)}`] as const);
      return env.length > 0 ? { env: Object.fromEntries(env) } : {};
    }

    /** Keeps the last edit of every second project on a branch. */
    function splitBranch(edits: readonly Edit[]) {
      const last = edits.at(-1);
      if (!last || !rng.bool(0.5)) return { main: edits, branches: [] };
      const main = edits.slice(0, -1);
      const start = Math.round(((main.at(-1)?.ago ?? created) + last.ago) / 2);
      const branch = { name: rng.pick(BRANCHES), createdAt: formatAgo(start), commits: [toCommit(last)] };
      return { main, branches: [branch] };
    }
  }

  function draw(template: Template | undefined, created: Ago): Drawn {
    if (!template) throw new Error('Every template needs another one');
    const params = new Map<string, ParamValue>();
    drawParams(template.params ?? {}, params, { ...context, rng }, created);
    return { template, params };
  }
}

interface Drawn {
  readonly template: Template;
  readonly params: Values;
}

const toCommit = ({ path, ago, text }: Edit) => ({ createdAt: formatAgo(ago), files: { [path]: text } });

/** `frostAlert` as `frost-alert`. */
const toProjectName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .slice(0, 48);
