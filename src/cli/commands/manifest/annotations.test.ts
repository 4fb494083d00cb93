import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const wrong =
  'users:\n  alice:\n    username: alice\n    first_name: Alice\n    last_name: A\n    enabled: perhaps\n';
const doubtful =
  'menus:\n  main:\n    name: Main\ncallflows:\n  a:\n    name: A\n    numbers: ["2000"]\n    flow: { module: menu, data: { id: nowhere }, children: {} }\n';
const inGitHub = { GITHUB_ACTIONS: 'true' };

test('validate and plan annotate source lines only in CI jobs', async () => {
  const world = await openWorld();
  const files = { 'telephony/office.yaml': wrong };
  const env = { ...inGitHub, GITHUB_WORKSPACE: world.folders.cwd };
  for (const line of ['validate -f telephony', 'plan -f telephony']) {
    const run = await world.telctl(line, { files, env });
    expect(run.code, run.stderr).toBe(10);
    expect(run.stderr).toMatch(/^::error file=telephony\/office\.yaml,line=6,col=\d+::"enabled" must be /m);
    expect(run.stdout).toBe('');
    const elsewhere = await world.telctl(line, { files });
    expect([elsewhere.code, elsewhere.stderr.includes('::')]).toEqual([10, false]);
    const never = await world.telctl(`${line} --annotate never`, { files, env });
    expect([never.code, never.stderr.includes('::')]).toEqual([10, false]);
    const always = await world.telctl(`${line} --annotate always`, { files });
    expect(always.stderr).toContain('::error file=telephony/office.yaml,line=6,');
    const azure = await world.telctl(line, { files, env: { TF_BUILD: 'True' } });
    expect(azure.stderr).toContain(
      `##vso[task.logissue type=error;sourcepath=${world.folders.cwd}/telephony/office.yaml;linenumber=6;`,
    );
    const gitlab = await world.telctl(line, { files, env: { GITLAB_CI: 'true' } });
    expect([gitlab.code, gitlab.stderr.includes('::')]).toEqual([10, false]);
  }
});

test('annotates each warning once, and does not change stdout', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': doubtful };
  for (const line of ['validate -f office.yaml -o json', 'plan -f office.yaml -o json']) {
    const plain = await world.telctl(line, { files });
    const run = await world.telctl(line, { files, env: inGitHub });
    expect([run.code, run.stdout]).toEqual([plain.code, plain.stdout]);
    const notes = run.stderr.split('\n').filter((each) => each.startsWith('::'));
    expect(new Set(notes).size).toBe(notes.length);
    if (line.startsWith('validate'))
      expect(notes.join('\n')).toMatch(/^::warning file=office\.yaml,line=8,/m);
  }
});

test('an error message cannot close its annotation and inject another command', async () => {
  const world = await openWorld();
  const text = 'users:\n  a: { username: a, first_name: A, last_name: B, enabled: "x\\n::add-mask::y" }\n';
  const run = await world.telctl('validate -f office.yaml', {
    files: { 'office.yaml': text },
    env: inGitHub,
  });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('::error file=office.yaml,line=2,');
  expect(run.stderr).not.toMatch(/^\s*::add-mask/m);
});
