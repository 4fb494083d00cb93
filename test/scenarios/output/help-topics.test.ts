import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shellWords } from '../../../scripts/docs/command-lines.mts';
import { keptFiles } from '../../../src/cli/shell/help/manifests-topic.ts';
import { topics } from '../../../src/cli/shell/help/topics.ts';
import { parseLine } from '../../../src/cli/shell/parse-line.ts';
import { openWorld } from '../../support/world.ts';

const examples = topics
  .filter(({ name }) => name === 'output')
  .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'lines' ? part.lines : [])))
  .filter((line) => line.startsWith('telctl '));

test('the examples of telctl help output run, and formatting is an alias', async () => {
  const world = await openWorld();
  expect(examples.length).toBeGreaterThan(3);
  for (const line of examples) {
    const run = await world.telctl(shellWords(line).slice(1));
    expect(run, line).toMatchObject({ code: 0, stderr: expect.not.stringContaining('There is no') });
  }
  const page = await world.telctl('help output');
  expect(page.stdout).toContain(examples[0]);
  expect((await world.telctl('help formatting')).stdout).toBe(page.stdout);
});

test('telctl help files names every file that telctl writes, and each is private', async () => {
  const world = await openWorld();
  const { config, cache, state } = JSON.parse((await world.telctl('config path -o json')).stdout);
  const manifest =
    'users: { alice: { username: alice, first_name: A, last_name: B, password: first-sign-in } }';
  const applied = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': manifest } });
  expect(applied.code, applied.stderr).toBe(0);
  const { adminPassword: TELCTL_PASSWORD } = world.seed;
  const env = {
    ...{ TELCTL_BASE_URL: world.url, TELCTL_ACCOUNT_NAME: 'acme' },
    ...{ TELCTL_USERNAME: 'admin', TELCTL_PASSWORD },
  };
  const listed = await world.telctl('users list', { env });
  expect(listed.code, listed.stderr).toBe(0);

  const folders = { CONFIG: join(config, '..'), CACHE: cache, STATE: state };
  const found = Object.entries(folders).flatMap(([word, folder]) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ shown: `${word}/${name}`, stat: statSync(join(folder, name)) }))
      .filter(({ stat }) => stat.isFile()),
  );
  const patterns = keptFiles.map(
    ([path]) => new RegExp(`^${path.replaceAll('.', '[.]').replaceAll('*', '[^/]+')}$`),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ shown }) => !patterns.some((pattern) => pattern.test(shown)))).toEqual([]);
  expect(found.filter(({ stat }) => (stat.mode & 0o777) !== 0o600)).toEqual([]);
  for (const [path] of keptFiles) expect((await world.telctl('help files')).stdout).toContain(path);
});

test('every command line in llms.txt is valid', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../llms.txt'), 'utf8');
  const named = [...page.matchAll(/`(telctl [^`]+)`/g)].map(([, line = '']) => line);
  const lines = named.filter((line) => !/\b(?:NOUN|VERB)\b/.test(line));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const parsed = await parseLine(shellWords(line).slice(1), {}).catch((error: unknown) => error);
    // `plan` requires a manifest, which the page omits. All other lines are complete.
    expect(parsed, line).toMatchObject({ kind: 'run' });
  }
});
