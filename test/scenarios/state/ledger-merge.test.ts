import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../support/world.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const driver = `"${process.execPath}" --disable-warning=ExperimentalWarning "${main}" state merge %O %A %B`;
const ledger = 'office.ledger.json';
const menus = (...names: readonly string[]): string =>
  `set: office\nmenus:\n${names.map((name) => `  ${name.toLowerCase()}: { name: ${name} }\n`).join('')}`;

/** Creates a checkout with the merge driver of the documentation, and a service. */
async function createCheckout() {
  const world = await openWorld({ like: undefined });
  const { cwd, home } = world.folders;
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@acme.example' },
    ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@acme.example' },
  };
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd, env }).toString();
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'merge.telctl-ledger.driver', driver);
  const apply = async (manifest: string, more = ''): Promise<Run> => {
    const run = await world.telctl(`apply -f office.yaml --ledger ${ledger} --yes${more}`, {
      files: { 'office.yaml': manifest, '.gitattributes': '*.ledger.json merge=telctl-ledger\n' },
    });
    expect(run.code, run.stderr).toBe(0);
    git('add', '.');
    git('commit', '--quiet', '--message', 'apply');
    return run;
  };
  const merge = (branch: string) => {
    const { status, stderr } = spawnSync('git', ['merge', '--quiet', '--no-edit', branch], { cwd, env });
    return { status, stderr: stderr.toString() };
  };
  return { world, git, apply, merge };
}

/** Returns the keys of a ledger's entries. */
function ledgerKeys({ folders }: World): readonly string[] {
  const [, ...lines] = readFileSync(join(folders.cwd, ledger), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line).key ?? 'source');
}

describe('ledger files in a repository', () => {
  test('of two branches that created different objects merge, and prune both', async () => {
    const { world, git, apply, merge } = await createCheckout();
    await apply(menus('Main'));
    git('switch', '--quiet', '--create', 'one');
    await apply(menus('Main', 'Day'));
    git('switch', '--quiet', 'main');
    git('switch', '--quiet', '--create', 'two');
    await apply(menus('Main', 'Night'));
    const { status, stderr } = merge('one');
    expect(stderr).not.toContain(ledger);
    // Manifests are still merged by hand.
    expect(status).toBe(1);
    expect(ledgerKeys(world)).toEqual(['menus.day', 'menus.main', 'menus.night']);
    const pruned = await world.telctl(`apply -f office.yaml --ledger ${ledger} --prune --yes`, {
      files: { 'office.yaml': menus('Main') },
    });
    expect(pruned.stderr).toContain('deleted menu Day');
    expect(pruned.stderr).toContain('deleted menu Night');
    expect([pruned.code, ledgerKeys(world)]).toEqual([0, ['menus.main']]);
  });

  test('of two branches that created the same object do not merge: both are named until one is selected', async () => {
    const { world, git, apply, merge } = await createCheckout();
    await apply(menus('Main'));
    git('switch', '--quiet', '--create', 'one');
    await apply(menus('Main', 'Day'));
    const [{ id: first }] = JSON.parse((await world.telctl('menus list --filter name=Day -o json')).stdout);
    git('switch', '--quiet', 'main');
    git('switch', '--quiet', '--create', 'two');
    await world.telctl(`menus patch ${first} --name Evening`);
    await apply(menus('Main', 'Day'));
    const { status, stderr } = merge('one');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /menus\.day of the manifest set "office": both sides created it, as \w{32} and as \w{32}/,
    );
    const marked = await world.telctl(`plan -f office.yaml --ledger ${ledger}`);
    expect(marked.code).toBe(10);
    expect(marked.stderr).toContain(`${ledger} has unresolved conflict markers (line`);
    const lines = readFileSync(join(world.folders.cwd, ledger), 'utf8').split('\n');
    const marks = lines.flatMap((line, index) => (/^[<=>]{7}/.test(line) ? [index] : []));
    const chosen = lines.filter((_, index) => !marks.includes(index) && index !== (marks[1] ?? 0) + 1);
    const ended = await world.telctl(`plan -f office.yaml --ledger ${ledger} --exit-code`, {
      files: { [ledger]: chosen.join('\n') },
    });
    expect(ended.code, ended.stderr).toBe(0);
  });

  test('of the older format are read, and written in the new format on change', async () => {
    const { world, apply } = await createCheckout();
    await apply(menus('Main'));
    const [head = '', entry = ''] = readFileSync(join(world.folders.cwd, ledger), 'utf8').split('\n');
    const older = JSON.stringify({ ...JSON.parse(head), version: 1, entries: [JSON.parse(entry)] });
    const unchanged = await world.telctl(`plan -f office.yaml --ledger ${ledger} --exit-code`, {
      files: { [ledger]: older },
    });
    expect(unchanged.code, unchanged.stderr).toBe(0);
    await apply(menus('Main', 'Day'));
    expect(ledgerKeys(world)).toEqual(['menus.day', 'menus.main']);
  });
});
