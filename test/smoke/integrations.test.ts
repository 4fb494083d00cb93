import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { makeFolders, type TestFolders, writeFiles } from '../support/fake-host.ts';
import { listen } from '../support/listening-sandbox.ts';
import { bin, type ProcessEnd, processEnv, root } from '../support/process.ts';
import { openWorld } from '../support/world.ts';

const office = `menus:
  main:
    name: Main menu

callflows:
  main:
    name: Main line
    numbers: [ "2000" ]
    flow:
      module: menu
      data:
        id: "\${menus.main}"
      children: {}
`;
const wrong = office.replace('name: Main menu', 'nam: Main menu');
const calls = `at: 2026-11-23 10:00 Europe/Zurich
cases:
  - name: The menu answers
    call: { from: +13125550100, to: 2000 }
    expect: { path: [Main line] }
`;

const readDocuments = (file: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => {
    expect([document.errors, document.warnings]).toEqual([[], []]);
    return document.toJS() as unknown;
  });

const objectAt = (value: unknown, ...keys: readonly string[]): JsonObject => {
  const found = keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  if (!isObject(found)) throw new Error(`No object at ${keys.join('.')}`);
  return found;
};

/** The machine of a CI runner: a checkout, a folder with `telctl` in the path, and the files of the runner. */
interface Machine {
  readonly folders: TestFolders;
  readonly env: Readonly<Record<string, string>>;
  file(name: string): string;
  run(script: string, env: Readonly<Record<string, string>>): Promise<ProcessEnd>;
}

function createMachine(service: Readonly<Record<string, string>>): Machine {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  const programs = join(folders.home, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'telctl'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const base = processEnv({ home: folders.home });
  const env = { ...base, ...service, CI: 'true', PATH: `${programs}:${base.PATH}` };
  return {
    folders,
    env,
    file: (name) =>
      existsSync(join(folders.cwd, name)) ? readFileSync(join(folders.cwd, name), 'utf8') : '',
    async run(script, own) {
      const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], {
        cwd: folders.cwd,
        env: { ...env, ...own },
      });
      const parts = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => {
          parts[name] += text;
        });
      const [code, signal] = await once(child, 'close');
      return { code, signal, ...parts };
    },
  };
}

test('the action checks, tests, plans and applies, with annotations, outputs and a summary', async () => {
  const service = await listen();
  const machine = createMachine(service.keyEnv);
  const [action] = readDocuments('integrations/github/action.yml');
  const inputs = objectAt(action, 'inputs');
  const steps = objectAt(action, 'runs').steps;
  const [step] = Array.isArray(steps) ? steps : [];
  // Values from the runner are only passed as variables, which prevents script injection.
  expect(String(objectAt(step).run)).not.toContain('${{');
  const runner = {
    RUNNER_TEMP: machine.folders.home,
    GITHUB_OUTPUT: 'output',
    GITHUB_STEP_SUMMARY: 'summary',
  };
  const context = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: machine.folders.cwd, GITHUB_SHA: 'abc' };
  const play = (given: Readonly<Record<string, string>>): Promise<ProcessEnd> => {
    for (const name of ['output', 'summary']) writeFileSync(join(machine.folders.cwd, name), '');
    const filled = Object.entries(objectAt(step, 'env')).map(([name, text]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(String(text)) ?? [];
      const otherwise = objectAt(inputs, input).default;
      return [
        name,
        given[input] ?? String(otherwise ?? '').replace(/\$\{\{ github.sha \}\}/, 'abc'),
      ] as const;
    });
    return machine.run(String(objectAt(step).run), { ...runner, ...context, ...Object.fromEntries(filled) });
  };

  writeFiles(machine.folders.cwd, { 'telephony/office.yaml': wrong, 'calls/office.yaml': calls });
  const bad = await play({ mode: 'validate' });
  expect(bad.code, bad.stderr).toBe(10);
  expect(bad.stderr).toMatch(/^::error file=telephony\/office\.yaml,line=3,/m);

  writeFiles(machine.folders.cwd, { 'telephony/office.yaml': office });
  const good = await play({ mode: 'validate' });
  expect(good.code, good.stderr).toBe(0);
  const tested = await play({ mode: 'test' });
  expect(tested.code, tested.stderr).toBe(0);
  expect(machine.file('summary')).toContain('1 of 1 pass.');

  const plan = join(machine.folders.home, 'office.plan');
  const planned = await play({ mode: 'plan', plan });
  expect(planned.code, planned.stderr).toBe(0);
  expect(machine.file('summary')).toContain('```diff\n');
  expect(machine.file('output')).toMatch(/^markdown=.*telctl-plan\.md\nchanges=true\n$/);
  const applied = await play({ mode: 'apply', plan, 'accept-charges-up-to': '1' });
  expect(applied.code, applied.stderr).toBe(0);
  const again = await play({ mode: 'plan', plan: `${plan}2`, prune: 'true' });
  expect([again.code, machine.file('output').includes('changes=false')], again.stderr).toEqual([0, true]);
  expect((await play({ mode: 'destroy' })).code).toBe(2);
});

test('the component validates with JUnit files, plans, and applies the plan manually', async () => {
  const service = await listen();
  const machine = createMachine(service.keyEnv);
  const [head, jobs] = readDocuments('integrations/gitlab/templates/telctl.yml');
  const inputs = objectAt(head, 'spec', 'inputs');
  const given: Readonly<Record<string, string>> = { package: 'https://packages.example/telctl.tgz' };
  const fillInputs = (text: unknown): string =>
    String(text).replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
      const value = given[name] ?? objectAt(inputs, name).default;
      if (value === undefined) throw new Error(`No input ${name}`);
      return String(value);
    });
  const play = (job: string): Promise<ProcessEnd> => {
    const shared = objectAt(jobs, '.telctl');
    const script = [shared.before_script, objectAt(jobs, job).script].flat().map(fillInputs).join('\n');
    const variables = Object.entries(objectAt(shared, 'variables')).map(([name, text]) => [
      name,
      fillInputs(text).replace('$CI_COMMIT_SHA', 'abc'),
    ]);
    return machine.run(script, {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'abc',
      ...Object.fromEntries(variables),
      PLAN: join(machine.folders.home, 'p'),
    });
  };

  writeFiles(machine.folders.cwd, { 'telephony/office.yaml': wrong, 'calls/office.yaml': calls });
  const bad = await play('telctl-validate');
  expect(bad.code, bad.stderr).toBe(10);
  expect(machine.file('telctl-validate.xml')).toContain('<failure');
  expect(bad.stderr).not.toContain('::error');

  writeFiles(machine.folders.cwd, { 'telephony/office.yaml': office });
  const good = await play('telctl-validate');
  expect(good.code, good.stderr).toBe(0);
  expect(readdirSync(machine.folders.cwd).filter((name) => name.endsWith('.xml'))).toHaveLength(3);
  const planned = await play('telctl-plan');
  expect(planned.code, planned.stderr).toBe(0);
  expect(machine.file('telctl-plan.md')).toContain('```diff\n');
  const applied = await play('telctl-apply');
  expect(applied.code, applied.stderr).toBe(0);
  const rules = objectAt(jobs, 'telctl-apply').rules;
  expect(Array.isArray(rules) && rules.every((rule) => isObject(rule) && rule.when === 'manual')).toBe(true);
});

test('each pre-commit hook passes valid files and refuses invalid ones without a service', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const [hooks] = readDocuments('.pre-commit-hooks.yaml');
  const list = Array.isArray(hooks) ? hooks.filter((hook) => isObject(hook)) : [];
  expect(list.map(({ id }) => id)).toEqual([
    'telctl-fmt',
    'telctl-validate',
    'telctl-callflows-lint',
    'telctl-test',
  ]);
  const circle = office.replace('module: menu', 'module: hangup2');
  const bad: Readonly<Record<string, readonly [code: number, files: Readonly<Record<string, string>>]>> = {
    'telctl-fmt': [
      3,
      { 'telephony/office.yaml': office.replace('    name: Main menu', '        name: Main menu') },
    ],
    'telctl-validate': [10, { 'telephony/office.yaml': wrong }],
    'telctl-callflows-lint': [10, { 'telephony/office.yaml': circle }],
    'telctl-test': [3, { 'calls/office.yaml': calls.replace('[Main line]', '[Night line]') }],
  };
  for (const { id, entry, args = [], pass_filenames: passes = true } of list) {
    const names = passes === true ? ['telephony/office.yaml'] : [];
    const line = [
      ...String(entry).split(' ').slice(1),
      ...(Array.isArray(args) ? args.map(String) : []),
      ...names,
    ];
    const right = { 'telephony/office.yaml': office, 'calls/office.yaml': calls };
    const passed = await telctl(line, { files: right });
    expect([passed.code, passed.requests], `${id}: ${passed.stderr}`).toEqual([0, []]);
    const [code, files] = bad[String(id)] ?? [0, {}];
    const refused = await telctl(line, { files: { ...right, ...files } });
    expect(refused.code, `${id}: ${refused.stdout}${refused.stderr}`).toBe(code);
  }
});
