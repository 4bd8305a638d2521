import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { SITE, serve } from './project-fixtures.js';

test('an export of what requests have made loads as it is', async () => {
  const { emulator, post, put, del, get, branch } = await serve();
  const files = `/v2/vals/${SITE}/files?path=`;
  await post(`${files}lib/deep`, { type: 'directory' });
  await post(`${files}lib/deep/$[a]()-_.ts`, { type: 'script', content: '😀'.repeat(80_000) });
  await post(`${files}half.txt`, { type: 'file', content: 'a\ud800\r\n' });
  await put(`${files}src`, { parent_path: 'lib', name: 'moved' });
  await put(`${files}lib/moved/a.ts`, { content: 'changed', type: 'http' });
  await post(`/v2/vals/${SITE}/branches`, { name: 'draft' });
  const draft = await branch('draft');
  await post(`${files}new.ts&branch_id=${draft.id}`, { type: 'email', content: '' });
  await post(`/v2/vals/${SITE}/branches`, { name: 'second', branchId: draft.id });
  await del(`${files}main.http.ts`);
  await del(`/v2/vals/${SITE}/branches/${draft.id}`);
  await post(`/v2/vals/${SITE}/environment_variables`, { key: 'KEY', value: 's3cret', description: 'Of x' });
  await post('/v2/vals', { name: 'empty', privacy: 'unlisted', description: 'Text' });

  const exported = emulator.state({ tokens: true });
  const again = await emulate(exported, { now: emulator.clock.now });

  expect(again.state({ tokens: true })).toStrictEqual(exported);
  const second = await branch('second');
  for (const query of ['', '&version=1', `&branch_id=${second.id}`, `&branch_id=${second.id}&version=0`]) {
    const path = `/v2/vals/${SITE}/files?path=&recursive=true${query}`;
    const response = await again.fetch(path, { headers: { authorization: 'Bearer ada-token' } });
    const text = (await response.text()).replaceAll(again.url, emulator.url);
    expect(JSON.parse(text)).toStrictEqual((await get(path)).body);
  }
});

test('a file that is created after a seed with an export has another id than the files of the export', async () => {
  const { emulator, post } = await serve();
  const files = `/v2/vals/${SITE}/files?path=`;
  const { body: first } = await post(`${files}first.ts`, { type: 'script', content: '1' });
  emulator.reseed(emulator.state());

  const { body: second } = await post(`${files}second.ts`, { type: 'script', content: '2' });

  expect(second.id).not.toBe(first.id);
});

test('a branch of a fixture loads again after its parent was deleted', async () => {
  const { emulator, post, del, branch } = await serve();
  await post(`/v2/vals/${SITE}/branches`, { name: 'parent' });
  await post(`/v2/vals/${SITE}/branches`, { name: 'fork', branchId: (await branch('parent')).id });
  const { id } = await branch('fork');
  await post(`/v2/vals/${SITE}/files?path=new.ts&branch_id=${id}`, { type: 'script', content: '1' });
  emulator.reseed(emulator.state());
  await del(`/v2/vals/${SITE}/branches/${(await branch('parent')).id}`);
  const exported = emulator.state();

  emulator.reseed(exported);

  expect(emulator.state()).toStrictEqual(exported);
});
