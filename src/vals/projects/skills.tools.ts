import { Type } from 'typebox';
import type { State } from '#vals/lib/state.collection.js';
import { limit, tool } from '#vals/lib/tool.tools.js';
import { findUserByName } from '#vals/users/users.collection.js';
import { getBranch } from './branches.rules.js';
import { getText } from './file-records.collection.js';
import type { Project } from './project-records.collection.js';
import { listOwnProjects } from './projects.rules.js';
import { toPage } from './vals.tools.js';

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly triggers: string;
  readonly content: string;
}

const SKILL = /^skills\/[^/]+\/SKILL\.md$/;
const FRONTMATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/;

/** Reads a skill. Undefined for a text without frontmatter that has a name. */
function parseSkill(text: string): Skill | undefined {
  const [, head = '', content = ''] = FRONTMATTER.exec(text) ?? [];
  const read = (key: string) => new RegExp(`^${key}:\\s*(.*(?:\\n[ \\t]+.*)*)`, 'm').exec(head)?.[1]?.trim() ?? '';
  const name = read('name');
  return name === '' ? undefined : { name, description: read('description'), triggers: read('triggers'), content };
}

/** Points for each word of a query, by where it occurs. Source: the ranking that the official plugin publishes. */
const POINTS = { name: 10, description: 5, triggers: 3, content: 1 } as const;

const score = (skill: Skill, words: readonly string[]): number =>
  words.reduce((sum, word) => {
    const found = (['name', 'description', 'triggers', 'content'] as const).filter((key) =>
      skill[key].toLowerCase().includes(word),
    );
    return sum + found.reduce((points, key) => points + POINTS[key], 0);
  }, 0);

/** Lists the skills on the branch `main` of projects. */
function* listSkills(state: State, projects: Iterable<Project>): Generator<Skill> {
  for (const project of projects) {
    for (const file of getBranch(state, project).files.tree) {
      const skill = SKILL.test(file.path) ? parseSkill(getText(state, file)) : undefined;
      if (skill) yield skill;
    }
  }
}

/** The owner of the vals that the service offers as templates. */
const TEMPLATES = 'templates';

export const skillTools = [
  tool('find_val_town_skills', 'Find skills, which are instructions for agents: skills/NAME/SKILL.md of your vals.', {
    input: Type.Object({ query: Type.String({ description: 'Words to look for' }), limit: limit(20, 5) }),
    scope: 'project:read',
    handle({ state, caller, args: { query, limit: most = 5 } }) {
      const words = query.toLowerCase().split(/\W+/).filter(Boolean);
      const matches = Array.from(listSkills(state, listOwnProjects(state, caller)), (skill) => ({
        ...{ skill, points: score(skill, words) },
      }))
        .filter(({ points }) => points > 0)
        .sort((a, b) => b.points - a.points)
        .slice(0, most)
        .map(({ skill: { name, description, content } }) => ({ name, description, content, source: 'personal' }));
      return { query, matches };
    },
  }),
  tool('find_templates', 'List vals to start from: the public vals of the user "templates".', {
    input: Type.Object({
      query: Type.Optional(Type.String({ description: 'Part of the name' })),
      limit: limit(100, 20),
    }),
    guessed: ['query', 'limit'],
    scope: 'project:read',
    handle({ state, caller, args, links }) {
      const owner = findUserByName(state, TEMPLATES);
      const text = args.query?.toLowerCase() ?? '';
      const vals = owner ? [...listOwnProjects(state, owner)] : [];
      const found = vals.filter(({ privacy, name }) => privacy === 'public' && name.toLowerCase().includes(text));
      return toPage({ state, caller, base: links.base }, found, args);
    },
  }),
];
