import { describe, expect, test } from 'vitest';
import { generate } from '#vals/generator/index.js';
import { sized } from '../../support/soak.js';
import { agoOf, DAY, erasOf, groupBy, HOUR, importsIn, MINUTE, SECOND, tally } from './dataset.js';

describe.each(sized([42], [42, 7, 1]))('a dataset of seed %i', (seed) => {
  const dataset = generate({ users: 60, seed });
  const runs = [...dataset.runs].map((run) => ({ ...run, ago: agoOf(run.runStartAt) }));
  const eras = erasOf(dataset);
  const types = new Map(dataset.vals.map((val) => [`${val.author}/${val.name}`, val.type]));
  const latest = [...eras].map(([ref, versions]) => ({ ref, code: versions.at(-1)?.code ?? '' }));
  const references = tally(
    latest.flatMap(({ code }) => importsIn(code)),
    (ref) => ref,
  );
  const likes = tally(dataset.likes, ({ val }) => val);
  const comments = tally(dataset.comments, ({ val }) => val);
  const average = (refs: string[], counts: ReadonlyMap<string, number>) =>
    refs.reduce((sum, ref) => sum + (counts.get(ref) ?? 0), 0) / Math.max(1, refs.length);

  test('few vals have most of the likes', () => {
    const counts = [...likes.values()].sort((a, b) => b - a);
    const top = counts.slice(0, Math.ceil(dataset.vals.length / 10)).reduce((sum, count) => sum + count, 0);
    expect(top).toBeGreaterThan(dataset.likes.length * 0.6);
    expect(counts[0]).toBeGreaterThan(dataset.users.length / 3);
    expect(likes.size).toBeLessThan(dataset.vals.length * 0.5);
    const written = [...tally(dataset.vals, ({ author }) => author).values()].sort((a, b) => b - a);
    expect(written[0]).toBeGreaterThan(25);
    expect(written.length).toBeLessThan(dataset.users.length);
  });

  test('vals with many importers have many likes and comments', () => {
    const imported = [...references].filter(([, count]) => count >= 5).map(([ref]) => ref);
    const others = latest.map(({ ref }) => ref).filter((ref) => !references.has(ref));
    expect(imported.length).toBeGreaterThan(5);
    expect(average(imported, likes)).toBeGreaterThan(8 * average(others, likes));
    expect(average(imported, comments)).toBeGreaterThan(2 * average(others, comments));
  });

  test('failures come in bursts', () => {
    const failed = runs.filter(({ error }) => error !== undefined);
    expect(failed.length).toBeGreaterThan(runs.length * 0.01);
    expect(failed.length).toBeLessThan(runs.length * 0.15);
    let again = 0;
    let pairs = 0;
    for (const ofVal of groupBy(runs, ({ val }) => val).values()) {
      const inOrder = ofVal.toSorted((a, b) => b.ago - a.ago);
      for (const [index, { error }] of inOrder.entries()) {
        const next = inOrder[index + 1];
        if (error === undefined || !next) continue;
        pairs++;
        if (next.error !== undefined) again++;
      }
    }
    // Scattered failures would seldom follow each other.
    expect(again / pairs).toBeGreaterThan(0.4);
  });

  test('a version with a bug is followed by a fix', () => {
    const perVersion = groupBy(runs, (run) => `${run.val}?v=${run.version ?? eras.get(run.val)?.at(-1)?.number}`);
    const failing = (key: string) => {
      const group = perVersion.get(key) ?? [];
      return group.length < 3 ? undefined : group.filter(({ error }) => error !== undefined).length / group.length;
    };
    const after: number[] = [];
    for (const versions of eras.values()) {
      for (const [index, { val, number }] of versions.entries()) {
        const next = versions[index + 1];
        if ((failing(`${val}?v=${number}`) ?? 0) < 0.75 || !next) continue;
        after.push(failing(`${val}?v=${next.number}`) ?? 0);
      }
    }
    expect(after.length).toBeGreaterThan(2);
    expect(after.reduce((sum, share) => sum + share, 0) / after.length).toBeLessThan(0.4);
  });

  test('an error is a sentence, or names the val that throws it: the val itself or one that it imports', () => {
    const errors = runs.flatMap(({ val, error }) => (error == null ? [] : [{ val, error }]));
    expect(errors.some(({ error }) => typeof error === 'string')).toBe(true);
    const named = errors.flatMap(({ val, error }) => (typeof error === 'string' ? [] : [{ val, error }]));
    expect(named.length).toBeGreaterThan(0);
    for (const { val, error } of named) {
      expect(Object.keys(error)).toEqual(['message', 'val']);
      const source = String(error.val).replace('.', '/');
      expect(source === val || reaches(val, source)).toBe(true);
    }
  });

  /** Whether a version of the val imports the other, directly or indirectly. */
  function reaches(from: string, to: string): boolean {
    const imported = (eras.get(from) ?? []).flatMap(({ code }) => importsIn(code));
    return imported.includes(to) || [...new Set(imported)].some((ref) => reaches(ref, to));
  }

  test('intervals run on time', () => {
    const ticks = groupBy(
      runs.filter(({ source }) => source === 'interval'),
      ({ val }) => val,
    );
    expect(ticks.size).toBeGreaterThan(20);
    const allowed = [15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY];
    for (const [ref, ofVal] of ticks) {
      expect(types.get(ref)).toBe('interval');
      const agos = ofVal.map(({ ago }) => ago);
      for (const [index, ago] of agos.entries()) {
        const next = agos[index + 1];
        if (next === undefined) continue;
        expect(allowed.some((period) => Math.abs(ago - next - period) < 2 * SECOND)).toBe(true);
      }
    }
  });

  test('most visits are by day and on weekdays, and some are recent', () => {
    const visits = runs.filter(({ source }) => source === 'api');
    // Now counts as a Wednesday at three in the afternoon.
    const hourOf = (ago: number) => (((15 - ago / HOUR) % 24) + 24) % 24;
    const byDay = visits.filter(({ ago }) => hourOf(ago) >= 9 && hourOf(ago) < 18).length / 9;
    const byNight = visits.filter(({ ago }) => hourOf(ago) < 6).length / 6;
    expect(byDay).toBeGreaterThan(3 * byNight);
    const daysBack = (ago: number) => Math.floor((ago / HOUR + 9) / 24);
    const weekend = visits.filter(({ ago }) => [3, 4].includes(daysBack(ago) % 7)).length / 2;
    const weekdays = visits.filter(({ ago }) => ![3, 4].includes(daysBack(ago) % 7)).length / 5;
    expect(weekdays).toBeGreaterThan(1.3 * weekend);
    expect(visits.filter(({ ago }) => ago < 30 * MINUTE).length).toBeGreaterThan(2);
  });

  test('scripts run in sessions', () => {
    const trials = runs.filter(({ val, source }) => types.get(val) === 'script' && source === 'ui');
    expect(trials.length).toBeGreaterThan(100);
    const inSession = trials.filter((run) =>
      trials.some((other) => other !== run && other.val === run.val && Math.abs(other.ago - run.ago) < 5 * MINUTE),
    );
    expect(inSession.length / trials.length).toBeGreaterThan(0.6);
  });

  test('the last half hour has a like, a comment and a run, and a run is unfinished', () => {
    for (const items of [dataset.likes, dataset.comments]) {
      expect(items.filter(({ createdAt }) => agoOf(createdAt) < 30 * MINUTE).length).toBeGreaterThan(0);
    }
    expect(runs.filter(({ runEndAt }) => runEndAt === null).length).toBeGreaterThan(0);
  });

  test('the first user has runs, a failure and a comment of the last half hour', () => {
    const first = dataset.users[0]?.username;
    const recent = runs.filter(({ val, ago }) => val.startsWith(`${first}/`) && ago < 30 * MINUTE);
    expect(recent.length).toBeGreaterThan(1);
    expect(recent.filter(({ error }) => error !== undefined).length).toBeGreaterThan(0);
    const said = dataset.comments.filter(({ createdAt }) => agoOf(createdAt) < 30 * MINUTE);
    expect(said.filter(({ val, author }) => val.startsWith(`${first}/`) && author !== first).length).toBeGreaterThan(0);
  });

  test('the code of a val is of its type', () => {
    const marks: Record<string, RegExp> = {
      http: /Response|export default/,
      httpnext: /Response|export default/,
      interval: /\(interval: Interval\)/,
      email: /\(\w+: Email\)/,
      express: /express\.Request/,
      rpc: /export const \w+ = (?:async )?\(/,
      script: /./,
    };
    for (const { ref, code } of latest) expect(code).toMatch(marks[types.get(ref) ?? ''] ?? /$^/);
    const counts = tally(types.values(), (type) => type ?? '');
    expect([...counts.keys()].sort()).toEqual(Object.keys(marks).sort());
    expect(counts.get('script')).toBeLessThan(dataset.vals.length / 2);
  });

  test('hardly any two vals are equal', () => {
    const bare = latest.map(({ ref, code }) => code.replaceAll(ref.split('/')[1] ?? '', ''));
    expect(new Set(bare).size).toBeGreaterThan(dataset.vals.length * 0.85);
  });

  test('a version is an edit of the one before', () => {
    const shares: number[] = [];
    for (const versions of eras.values()) {
      for (const [index, { code }] of versions.entries()) {
        const before = new Set(versions[index - 1]?.code.split('\n'));
        if (before.size === 0) continue;
        const lines = code.split('\n');
        shares.push(lines.filter((line) => before.has(line)).length / lines.length);
      }
    }
    expect(shares.length).toBeGreaterThan(300);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.75);
    expect(shares.filter((share) => share < 0.2).length).toBeLessThan(shares.length * 0.03);
  });

  test('comments name existing versions and vals', () => {
    for (const { val, comment } of dataset.comments) {
      for (const [, number] of String(comment).matchAll(/[vV]ersion (\d+)/g)) {
        expect(eras.get(val)?.map((version) => version.number)).toContain(Number(number));
      }
      for (const [, ref = ''] of String(comment).matchAll(/val\.town\/v\/([\w/]+)/g)) {
        expect(eras.get(ref)?.some(({ code }) => importsIn(code).includes(val))).toBe(true);
      }
      expect(comment).not.toMatch(/%\w+%/);
    }
    expect(dataset.comments.some(({ comment }) => String(comment).includes('/v/'))).toBe(true);
  });

  test('no text is blank', () => {
    for (const { username, bio, profileImageUrl } of dataset.users) {
      expect(username).toMatch(/^[a-z][a-z0-9_]{2,}$/);
      expect(bio ?? 'none').not.toMatch(/%|undefined|^$/);
      expect(profileImageUrl ?? 'data:image/svg+xml,').toMatch(/^data:image\/svg\+xml,/);
    }
    const bios = dataset.users.flatMap(({ bio }) => bio ?? []);
    expect(new Set(bios).size).toBe(bios.length);
    for (const { code, readme } of dataset.vals)
      expect(`${code}${readme}`).not.toMatch(/%[a-zA-Z][\w.]*-?%|undefined%|lorem/i);
    expect(dataset.vals.filter(({ readme }) => readme).length).toBeGreaterThan(dataset.vals.length / 4);
  });
});

test('a dataset has a deleted version', () => {
  const { vals, versions } = generate({ users: 40 });
  const counts = tally(versions, ({ val }) => val);
  expect(vals.some(({ author, name, version = 0 }) => version > (counts.get(`${author}/${name}`) ?? 0))).toBe(true);
  expect(vals.some(({ nextVersion }) => nextVersion !== undefined)).toBe(true);
});
