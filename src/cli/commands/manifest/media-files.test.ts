import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const office = 'media:\n  welcome: { name: Welcome, file: prompts/welcome.mp3 }\n';
const sound = (letter: string, size: number) => `ID3${letter.repeat(size - 3)}`;
const first = { 'office.yaml': office, 'prompts/welcome.mp3': sound('a', 12_000) };
const second = { 'prompts/welcome.mp3': sound('b', 14_000) };
const apply = 'apply -f office.yaml --yes';

test('uploads the file of a medium once, and again after it changes', async () => {
  const world = await openWorld();
  const plan = await world.telctl('plan -f office.yaml --verbose', { files: first });
  expect(plan.stdout).toMatch(/file +audio, 12 kB/);
  const made = await world.telctl(apply);
  expect(made.code, made.stderr).toBe(0);
  expect((await world.telctl('media download Welcome -')).stdout).toBe(first['prompts/welcome.mp3']);
  const again = await world.telctl(apply);
  expect(again.stderr).toContain('Nothing to do');
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(again.requests.filter(({ path }) => path.endsWith('/raw'))).toEqual([]);
  const changed = await world.telctl('plan -f office.yaml', { files: second });
  expect(changed.stdout).toMatch(/~ medium Welcome\n +file +audio changes \(12 kB → 14 kB\)/);
  expect((await world.telctl('apply -f office.yaml --yes')).code).toBe(0);
  expect((await world.telctl('media download Welcome -')).stdout).toBe(second['prompts/welcome.mp3']);
  const undone = await world.telctl('undo --yes');
  expect(undone.stderr).toContain('the old value is unknown: file');
});

test('changes fields and file of a medium in one apply, and keeps files uploaded elsewhere', async () => {
  const world = await openWorld();
  await world.telctl(apply, { files: first });
  const both = {
    ...second,
    'office.yaml': office.replace('name: Welcome,', 'name: Welcome, description: Hello,'),
  };
  const run = await world.telctl('apply -f office.yaml --yes -o json', { files: both });
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('plan -f office.yaml --exit-code')).code).toBe(0);
  await world.telctl('media upload Welcome other.mp3', { files: { 'other.mp3': sound('c', 15_000) } });
  const drifted = await world.telctl('plan -f office.yaml');
  expect(drifted.stdout).toContain('audio changes (15 kB → 14 kB) (changed by others)');
  expect((await world.telctl(apply)).code).toBe(6);
  expect((await world.telctl(`${apply} --overwrite`)).code).toBe(0);
  expect((await world.telctl('media download Welcome -')).stdout).toBe(second['prompts/welcome.mp3']);
});

test('compares a file with the stored one if there is no ledger', async () => {
  const world = await openWorld();
  await world.telctl(apply, { files: first });
  const same = await world.telctl('plan -f office.yaml --ledger other.json --exit-code');
  expect(same.code, same.stdout).toBe(0);
  const files = { 'prompts/welcome.mp3': sound('z', 12_000) };
  expect((await world.telctl('plan -f office.yaml --ledger other.json --exit-code', { files })).code).toBe(3);
});

test('reports a failed upload for a new record, and the next apply completes it', async () => {
  const world = await openWorld();
  const faults = [{ fault: { kind: 'refuse' }, method: 'POST', path: /\/raw$/ }] as const;
  const failed = await world.telctl(apply, { files: first, faults });
  expect(failed.code).toBe(8);
  expect(failed.stderr).toContain('created medium Welcome');
  expect(failed.stderr).toMatch(/failed 1|unknown 1/);
  const next = await world.telctl(apply);
  expect(next.code, next.stderr).toBe(0);
  expect((await world.telctl('media download Welcome -')).stdout).toBe(first['prompts/welcome.mp3']);
  expect((await world.telctl(apply)).stderr).toContain('Nothing to do');
});

test('rejects a saved plan if the file changed', async () => {
  const world = await openWorld();
  expect((await world.telctl('plan -f office.yaml --out office.plan', { files: first })).code).toBe(0);
  const run = await world.telctl('apply office.plan --yes', { files: second });
  expect(run.code).toBe(6);
  expect(run.stderr).toContain('prompts/welcome.mp3 was changed');
});

test.each([
  ['file: ../welcome.mp3', { '../welcome.mp3': sound('a', 20) }, 'is not below'],
  ['file: none.mp3', {}, 'there is no file'],
  ['file: notes.txt', { 'notes.txt': 'no sound' }, 'is not a supported media file'],
  ['file: empty.mp3', { 'empty.mp3': '' }, 'is empty'],
  ['file: ""', {}, '"file" must be the path of a file'],
  ['file: a.mp3, content_length: 12', { 'a.mp3': sound('a', 20) }, '"content_length" is set by the file'],
] as const)('rejects a medium with %s before any request', async (line, files, problem) => {
  const world = await openWorld();
  const manifest = `media:\n  welcome: { name: Welcome, ${line} }\n`;
  const run = await world.telctl(apply, { files: { ...files, 'office.yaml': manifest } });
  expect(run.stderr).toContain(problem);
  expect(run.code).toBe(10);
  expect(run.requests).toEqual([]);
});

test('export reports omitted files, or writes them next to the manifest', async () => {
  const world = await openWorld();
  await world.telctl(apply, { files: first });
  const without = await world.telctl('export --only media --out bare.yaml');
  expect(without.stderr).toContain('Left out: the file of 1 medium. Download it with --with-files.');
  const run = await world.telctl('export --only media --out all/ --with-files');
  expect(run.stderr).toContain('Fetched 1 file.');
  const plan = await world.telctl('plan -f all/ --ledger other.json --exit-code');
  expect(plan.code, plan.stdout + plan.stderr).toBe(0);
  await world.telctl('media delete Welcome --yes');
  expect((await world.telctl('apply -f all/ --yes --ledger other.json')).code).toBe(0);
  expect((await world.telctl('media download Welcome -')).stdout).toBe(first['prompts/welcome.mp3']);
  const split = await world.telctl('export --only media --out each/ --split objects --with-files');
  expect(split.code, split.stderr).toBe(0);
  expect((await world.telctl('validate -f each/')).code).toBe(0);
});
