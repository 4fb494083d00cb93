// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of manifests
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../support/assistant.ts';
import { openWorld, type World } from '../../support/world.ts';

const secret = 'From-the-vault-77';
const office = 'users:\n  ann: { username: ann, first_name: Ann, last_name: A, password: "${secret.ANN}" }\n';
const files = { 'office.yaml': office };

/** Writes a program that records each run and executes a script. */
function writeProgram(world: World, name: string, script: string): string {
  const path = join(world.folders.home, name);
  writeFileSync(path, `#!/bin/sh\necho run >> "${runsFile(world)}"\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const runsFile = ({ folders }: World): string => join(folders.home, 'runs.txt');
const countRuns = (world: World): number =>
  existsSync(runsFile(world)) ? readFileSync(runsFile(world), 'utf8').split('\n').filter(Boolean).length : 0;

/** Writes secret programs to the user's configuration. */
function configure(world: World, secrets: unknown): void {
  const path = join(world.folders.home, '.config', 'telctl', 'config.json');
  const before: unknown = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...Object(before), secrets }));
}

/** Creates a world in which a program prints Ann's secret. */
async function openVault(script = `printf '%s\\n' '${secret}'`): Promise<World> {
  const world = await openWorld();
  configure(world, { ANN: { command: [writeProgram(world, 'vault', script), 'read', '$HOME; x'] } });
  return world;
}

const readAllFiles = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'vault')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('a secret of a program is sent but not stored in plan, state, log or output', async () => {
  const world = await openVault();
  const outputs: string[] = [];
  for (const line of [
    'plan -f office.yaml --out office.plan -v',
    'plan -f office.yaml -o json -v',
    'apply office.plan --yes -v',
    'log -o json -v',
    'apply history -o json',
  ]) {
    const run = await world.telctl(line, { files });
    expect(run.code, run.stderr).toBe(0);
    outputs.push(run.stdout, run.stderr);
    if (line.startsWith('apply office')) expect(JSON.stringify(run.requests)).toContain(secret);
  }
  expect(outputs.join('\n')).not.toContain(secret);
  expect(outputs.join('\n')).toContain('secret.ANN');
  expect(readAllFiles(world.folders.home) + readAllFiles(world.folders.cwd)).not.toContain(secret);
  expect((await world.telctl('plan -f office.yaml --exit-code')).code).toBe(0);
});

test('the program receives its arguments without a shell and no secrets of telctl', async () => {
  const world = await openVault(
    '[ "$2" = \'$HOME; x\' ] && [ -z "$TELCTL_API_KEY" ] && [ "$VAULT_ADDR" = there ] && printf \'a\\nb\\n\'',
  );
  const env = { TELCTL_API_KEY: world.seed.apiKey, TELCTL_PROFILE: world.profile, VAULT_ADDR: 'there' };
  const run = await world.telctl('apply -f office.yaml --yes', { files, env });
  expect(run.code, run.stderr).toBe(0);
  const sent = run.requests.find(({ method, path }) => method === 'PUT' && path.endsWith('/users'));
  // Only the last line end is removed.
  expect(sent?.body).toMatchObject({ data: { password: 'a\nb' } });
});

test('validate, test and assistants never run a program', async () => {
  const world = await openVault();
  for (const line of [
    'validate -f office.yaml',
    'validate -f office.yaml -o json',
    'callflows lint -f office.yaml',
  ]) {
    const run = await world.telctl(line, { files });
    expect(run.code, run.stderr).toBe(0);
  }
  const assistant = await connect(world);
  const said = await assistant.call('run_command', { command: 'plan', options: { file: ['office.yaml'] } });
  expect(JSON.stringify(said)).toContain('does not start programs');
  expect(countRuns(world)).toBe(0);
});

test('a program in an address, a field that is not secret, a key or a header is refused with code 10 and not run', async () => {
  const world = await openVault();
  const texts = [
    'users:\n  ann: { username: "${secret.ANN}", first_name: Ann, last_name: A }\n',
    'webhooks:\n  crm: { name: crm, hook: sms, uri: "https://crm.example/${secret.ANN}" }\n',
    'webhooks:\n  crm: { name: crm, hook: sms, uri: "https://crm.example/", custom_data: { "${secret.ANN}": x } }\n',
    'webhooks:\n  crm: { name: crm, hook: sms, uri: "https://crm.example/", custom_data: { type: "${secret.ANN}" } }\n',
    'users:\n  ann: { username: ann, first_name: Ann, last_name: A, extra: { note: "${secret.ANN}" } }\n',
    `account: "\${secret.ANN}"\n${office}`,
    'users:\n  ann: { username: ann, first_name: Ann, last_name: A, when: "${secret.ANN}" }\n',
    'media:\n  a: { name: A, file: "${secret.ANN}" }\n',
  ];
  for (const text of texts)
    for (const line of ['validate -f office.yaml', 'plan -f office.yaml', 'apply -f office.yaml --yes']) {
      const run = await world.telctl(line, { files: { 'office.yaml': text } });
      expect([run.code, run.requests], `${text}${run.stderr}`).toEqual([10, []]);
      expect(run.stderr).toContain('office.yaml:');
      expect(run.stderr).toContain('${secret.ANN}');
    }
  const record = await world.telctl('users create -f ann.yaml', {
    files: { 'ann.yaml': 'username: ann\nfirst_name: A\nlast_name: B\npassword: "${secret.ANN}"\n' },
  });
  expect([record.code, record.stderr.includes('secret fields of manifests')]).toEqual([10, true]);
  expect(countRuns(world)).toBe(0);
});

test('an invalid manifest runs no program', async () => {
  const world = await openVault();
  const run = await world.telctl('plan -f office.yaml', {
    files: { 'office.yaml': `${office}menus: { a: { nam: A } }\n` },
  });
  expect([run.code, countRuns(world)]).toEqual([10, 0]);
});

test('a repository configuration cannot name programs', async () => {
  const world = await openWorld();
  const path = writeProgram(world, 'vault', 'echo x');
  const settings = await world.telctl('plan -f office.yaml', {
    files: { ...files, '.telctl.yaml': `secrets: { ANN: { command: [${path}] } }\n` },
  });
  expect([settings.code, settings.stderr.includes('cannot be set here')]).toEqual([2, true]);
  const manifest = await world.telctl('plan -f office.yaml', {
    files: { 'office.yaml': `secrets: { ANN: { command: [${path}] } }\n${office}`, '.telctl.yaml': '' },
  });
  expect(manifest.code).toBe(10);
  mkdirSync(join(world.folders.cwd, 'bin'));
  configure(world, { ANN: { command: ['bin/vault'] } });
  const relative = await world.telctl('plan -f office.yaml', { files });
  expect([relative.code, relative.stderr.includes('relative path')]).toEqual([9, true]);
  expect(countRuns(world)).toBe(0);
});

test('an unknown program is reported with its place and the nearest name', async () => {
  const world = await openVault();
  const run = await world.telctl('plan -f office.yaml', {
    files: { 'office.yaml': office.replace('ANN', 'AN') },
  });
  expect([run.code, countRuns(world)]).toEqual([10, 0]);
  expect(run.stderr).toMatch(/office\.yaml:2:\d+: \$\{secret\.AN\}: .*did you mean \$\{secret\.ANN\}\?/);
});

test('a program that fails, prints nothing or is too slow provides no secret, and its output is hidden', async () => {
  for (const [script, said] of [
    [`echo ${secret}; exit 3`, 'ended with exit code 3'],
    ['true', 'printed nothing'],
    [`echo ${secret}; exec sleep 30`, 'took longer than 1 second'],
  ] as const) {
    const world = await openVault(script);
    const run = await world.telctl('plan -f office.yaml --timeout 1', { files });
    expect([run.code, run.requests], run.stderr).toEqual([4, []]);
    expect(run.stderr).toContain(said);
    expect(run.stderr + run.stdout).not.toContain(secret);
  }
});

test('a program runs once for all objects and accounts', async () => {
  const world = await openVault();
  const two = `${office}  bob: { username: bob, first_name: Bob, last_name: B, password: "pre-\${secret.ANN}" }\n`;
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': two } });
  expect([run.code, countRuns(world)], run.stderr).toEqual([0, 1]);
  expect(JSON.stringify(run.requests)).toContain(`pre-${secret}`);
});
