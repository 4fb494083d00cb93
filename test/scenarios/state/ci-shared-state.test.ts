import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestFolders } from '../../support/fake-host.ts';
import { postgresServer } from '../../support/postgres.ts';
import { openWorld, type Run, testFolders } from '../../support/world.ts';

const server = await postgresServer();

const menus = (...names: readonly string[]): string =>
  `set: telephony\nmenus:\n${names.map((name) => `  ${name.toLowerCase()}: { name: ${name} }\n`).join('')}`;

/** The machine of one CI job, with its own home folder and a checkout of a commit. */
interface Job {
  readonly folders: TestFolders;
  readonly commit: string;
  telctl(line: string): Promise<Run>;
}

/** Creates a repository with the pipeline of docs/ci.md. All jobs share a state. */
async function openPipeline() {
  const [world, state] = await Promise.all([openWorld({ signIn: 'none' }), server.database()]);
  const repository = testFolders();
  const env = {
    ...{ TELCTL_BASE_URL: world.url, TELCTL_API_KEY: world.seed.apiKey, TELCTL_ACCOUNT: 'acme', CI: 'true' },
    ...{ TELCTL_STATE: state, TELCTL_STATE_PASSWORD: server.password },
  };
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd,
      env: {
        ...{ PATH: process.env.PATH, HOME: repository.home, GIT_CONFIG_NOSYSTEM: '1' },
        ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@acme.example' },
        ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@acme.example' },
      },
    })
      .toString()
      .trim();
  git(repository.cwd, 'init', '--quiet', '--initial-branch', 'main');
  /** Commits a manifest to main, like a merged pull request. Returns the commit. */
  const mergeManifest = (manifest: string): string => {
    writeFileSync(join(repository.cwd, 'telephony.yaml'), manifest);
    git(repository.cwd, 'add', '.');
    git(repository.cwd, 'commit', '--quiet', '--message', 'change');
    return git(repository.cwd, 'rev-parse', 'HEAD');
  };
  const startJob = (commit: string): Job => {
    const folders = testFolders();
    git(folders.cwd, 'clone', '--quiet', repository.cwd, '.');
    git(folders.cwd, 'checkout', '--quiet', commit);
    return { folders, commit, telctl: (line) => world.telctl(line, { folders, env }) };
  };
  /** The first apply runs without --prune, which needs a ledger. */
  const firstApply = (commit: string): Promise<Run> =>
    startJob(commit).telctl('apply -f telephony.yaml --yes');
  const plan = async (commit: string): Promise<string> => {
    const name = `telephony-${commit.slice(0, 12)}`;
    const run = await startJob(commit).telctl(`plan -f telephony.yaml --prune --out ${name} -o markdown`);
    expect(run.code, run.stderr).toBe(0);
    return run.stdout;
  };
  const apply = (commit: string): Promise<Run> =>
    startJob(commit).telctl(`apply telephony-${commit.slice(0, 12)} --accept-charges-up-to 50`);
  const listMenus = async (): Promise<readonly string[]> => {
    const { stdout } = await startJob(git(repository.cwd, 'rev-parse', 'HEAD')).telctl('menus list -o json');
    return JSON.parse(stdout)
      .map(({ name }: { readonly name: string }) => name)
      .sort();
  };
  return { merged: mergeManifest, begin: firstApply, plan, apply, names: listMenus, job: startJob };
}

test('jobs on new machines plan from, prune and revert what an earlier job applied', async () => {
  const { merged, begin, plan, apply, names, job } = await openPipeline();
  const first = merged(menus('Main', 'Day'));
  expect((await begin(first)).stderr).toContain('Created 2,');
  const second = merged(menus('Main'));
  expect(await plan(second)).toContain('1 to delete');
  const done = await apply(second);
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('deleted menu Day')]);
  expect(await names()).toEqual(['Main']);
  expect((await apply(second)).code).toBe(6);
  const undone = await job(second).telctl('undo 2 --yes');
  expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining('created menu Day')]);
});

test('of two pull requests merged in the wrong order, the older plan is refused and reverts nothing', async () => {
  const { merged, begin, plan, apply, names } = await openPipeline();
  const start = merged(menus('Main'));
  expect((await begin(start)).code).toBe(0);
  // Both were merged and planned. The later one is approved first.
  const one = merged(menus('Main', 'Day'));
  expect(await plan(one)).toContain('1 to create');
  const two = merged(menus('Main', 'Day', 'Night'));
  expect(await plan(two)).toContain('2 to create');
  expect((await apply(two)).code).toBe(0);
  const late = await apply(one);
  expect([late.code, late.stderr]).toEqual([6, expect.stringMatching(/is out of date\. Nothing was sent\./)]);
  expect(late.requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/api_auth'))).toEqual(
    [],
  );
  expect(await names()).toEqual(['Day', 'Main', 'Night']);
  // A plan of the newest commit has no changes left.
  expect(await plan(two)).toContain('0 to create, 0 to update, 3 unchanged, 0 to delete');
});

test('two concurrent pipelines wait for each other and create each object once', async () => {
  const { merged, names, job } = await openPipeline();
  const commit = merged(menus('Main', 'Day', 'Night'));
  const line = 'apply -f telephony.yaml --yes';
  const runs = await Promise.all([job(commit).telctl(line), job(commit).telctl(line)]);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, expect.anything()],
    [0, expect.anything()],
  ]);
  expect(await names()).toEqual(['Day', 'Main', 'Night']);
});
