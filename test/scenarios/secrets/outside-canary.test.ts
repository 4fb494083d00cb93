import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { moduleData, moduleNames } from '../../../src/contract/module-data.ts';
import { resolveReference, type Schema, type SchemaNode } from '../../../src/contract/schema-node.ts';
import { type Kind, kinds } from '../../../src/engine/manifest/kinds.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

/** Values from the environment, from a file and of other types. One needs escapes in every notation. */
const canary = 'canary5e1fVALUE';
const hostile = `ca"na<ry>&'x,9d\\z;%2F`;
const env = {
  CANARY: canary,
  HOSTILE: hostile,
  DIGITS: '90210777',
  LONG: `long-canary-${'0123456789'.repeat(30)}`,
};
const files = { 'canary.txt': 'canary-in-a-file-77\nsecond-line-of-the-file\n' };
const values = [
  canary,
  hostile,
  '902107',
  '4155550177',
  'canary-sub-account',
  'canary-after',
  'canary-dry-run',
  'canary-updated',
  'long-canary-01',
  'canary-in-a-file',
  'second-line-of',
];

/** Returns every form of a value in a document. */
const encodedForms = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  value.replaceAll('"', '""'),
];
const forms = values.flatMap(encodedForms).map((form) => form.toLowerCase());

/** Returns the lines that contain a value. */
const leakingLines = (name: string, text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => forms.some((form) => line.toLowerCase().includes(form)))
    .map((line) => `${name}: ${line.slice(0, 300)}`);

/** Returns the files that telctl wrote below the home folder, without the manifests of the test. */
const readWrittenFiles = (world: World): readonly string[] =>
  world
    .filesWritten()
    .filter(({ path, isFolder }) => !isFolder && !/\.(?:yaml|txt)$|\/canary\.json$/.test(path))
    .flatMap(({ path }) => leakingLines(relative(world.folders.home, path), readFileSync(path, 'utf8')));

async function findLeaks(world: World, runs: readonly (readonly [line: string, run: Run])[]) {
  return [
    ...runs.flatMap(([line, { stdout, stderr }]) => leakingLines(line, `${stdout}\n${stderr}`)),
    ...readWrittenFiles(world),
  ];
}

/** Returns a record in which every writable field has the text, regardless of its type. Maps also have it as a key. */
function filledRecord(root: SchemaNode, node: SchemaNode, text: string, depth = 0): Json | undefined {
  const at = resolveReference(root as Schema, node);
  if (at.readOnly === true || depth > 7) return undefined;
  if (at.properties || at.additionalProperties !== undefined || at.patternProperties) {
    const children = Object.entries(at.properties ?? {}).flatMap(([name, child]): [string, Json][] => {
      const value = filledRecord(root, child, text, depth + 1);
      return value === undefined ? [] : [[name, value]];
    });
    const more = typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined;
    const free =
      more || at.additionalProperties === true ? filledRecord(root, more ?? {}, text, depth + 1) : undefined;
    return Object.fromEntries([...children, ...(free === undefined ? [] : [[text, free] as const])]);
  }
  if (at.items) {
    const item = filledRecord(root, at.items, text, depth + 1);
    return item === undefined ? [] : [item];
  }
  return text;
}

const isMany = ({ name, shape }: Kind): boolean => shape === 'many' && name !== 'accounts';

/**
 * Returns a manifest with one object of each kind, with the expression in every field of the contract and of module
 * data.
 */
function manifestWithEveryField(expression: string): JsonObject {
  const sections = kinds
    .filter(isMany)
    .map(({ name, schema }) => [name, { one: filledRecord(schema, schema, expression) ?? {} }]);
  const steps = moduleNames('callflow').map((module, index) => [
    `m${index}`,
    {
      numbers: [`9${index}`],
      flow: {
        module,
        data:
          filledRecord(
            moduleData('callflow', module) ?? {},
            moduleData('callflow', module) ?? {},
            expression,
          ) ?? {},
      },
    },
  ]);
  return { ...Object.fromEntries(sections), callflows: Object.fromEntries(steps) };
}

test('a refused outside value is not shown for any field or notation', async () => {
  const world = await openWorld();
  const runs: [string, Run][] = [];
  for (const [index, expression] of [
    `\${env.CANARY}`,
    `x \${env.HOSTILE} y`,
    `\${env.DIGITS}`,
    `\${env.LONG}`,
    `\${file.canary.txt}`,
  ].entries()) {
    const given = { ...files, 'canary.json': JSON.stringify(manifestWithEveryField(expression)) };
    for (const line of [
      [
        'validate -f canary.json',
        'validate -f canary.json -o sarif --annotate always',
        'plan -f canary.json -o json',
      ],
      ['validate -f canary.json -o junit', 'validate -f canary.json -o json --strict-input'],
      ['validate -f canary.json -v'],
      ['validate -f canary.json'],
      ['validate -f canary.json -o yaml'],
    ][index] ?? []) {
      const run = await world.telctl(line, { env: { ...env, GITHUB_ACTIONS: 'true' }, files: given });
      expect(run.code, run.stdout + run.stderr).toBe(10);
      runs.push([line, run]);
    }
  }
  expect(await findLeaks(world, runs)).toEqual([]);
});

/** Objects whose names, keys and texts contain values from outside. */
const accepted = {
  env: {
    ...env,
    LONG: `long-canary-${'0123456789'.repeat(10)}`,
    NUM: '+14155550177',
    MAILBOX: '902107',
    PORT: '5099',
    SUB: 'canary-sub-account',
  },
  manifest: `account: \${accounts.branch}
users:
  ann:
    username: \${env.CANARY}
    first_name: Ann \${env.LONG}
    last_name: "\${file.canary.txt}"
    password: \${env.HOSTILE}
    call_forward: { number: "\${env.NUM}", enabled: true }
    caller_id: { internal: { name: "x \${env.HOSTILE}" } }
vmboxes:
  box: { name: "Box \${env.CANARY}", mailbox: "\${env.MAILBOX}", owner_id: "\${users.ann}" }
menus:
  main: { name: "\${env.CANARY}", record_pin: "\${env.MAILBOX}" }
groups:
  team: { name: "\${env.LONG}", endpoints: { "\${users.ann}": { type: user } } }
webhooks:
  hook: { name: "\${env.CANARY}", uri: "https://\${env.CANARY}.example/in", hook: channel_create, custom_data: { note: "\${env.HOSTILE}" } }
lists:
  names: { name: "\${env.CANARY}" }
callflows:
  line:
    name: Line \${env.CANARY}
    numbers: ["\${env.NUM}"]
    flow: { module: tts, data: { text: "say \${env.HOSTILE}" } }
`,
  root: `accounts:
  branch: { name: "\${env.SUB}", realm: "\${env.CANARY}.example" }
`,
};

test('an accepted outside value is not shown or recorded by plan, apply, log, undo and records', async () => {
  const world = await openWorld();
  const runs: [string, Run][] = [];
  const run = async (line: string, more: Record<string, string> = {}, codes: readonly number[] = [0]) => {
    const given = {
      ...files,
      'all.yaml': `${accepted.root}---\n${accepted.manifest}`,
      'none.yaml': `${accepted.root}---\naccount: \${accounts.branch}\nlists:\n  names: { name: "\${env.CANARY}" }\n`,
      'user.yaml': `username: ann2\npassword: "\${env.LONG}"\nfirst_name: "A \${env.CANARY}"\nlast_name: "\${env.HOSTILE}"\npresence_id: "\${env.MAILBOX}"\n`,
      'update.yaml': `username: ann3\nfirst_name: "\${env.CANARY}"\nlast_name: "\${env.HOSTILE}"\n`,
      'patch.yaml': `first_name: "\${file.canary.txt}"\n`,
    };
    const done = await world.telctl(line, { env: { ...accepted.env, ...more }, files: given });
    expect(codes, `${line}\n${done.stdout}${done.stderr}`).toContain(done.code);
    runs.push([line, done]);
    return done;
  };
  await run('plan -f all.yaml -v --out kept.plan');
  await run('apply -f all.yaml --yes -v');
  // The stored value is now a record of the account, so only changes show it.
  const other = { CANARY: 'canary-after-77x', SUB: accepted.env.SUB };
  for (const format of ['json', 'yaml', 'ndjson', 'csv', 'markdown', 'name', 'table'])
    await run(`plan -f all.yaml -o ${format} --out again.plan`, other);
  await run('apply -f all.yaml --yes -o json', other);
  await run('apply -f none.yaml --yes --prune --max-deletes 9 --set-name all.yaml', other);
  await run('log');
  await run('log show 1 -o json');
  await run('undo 2 --yes', {}, [6]);
  await run('users create -f user.yaml -v -o json');
  await run('users create -f user.yaml -v', {}, [1, 6, 10]);
  await run('users create -f user.yaml --dry-run -o json', { CANARY: 'canary-dry-run' });
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Bond' });
  await run('users patch bob -f patch.yaml -o json');
  await world.addUser({ username: 'ann3', first_name: 'Ann', last_name: 'Bond' });
  await run('users update ann3 -f update.yaml -o json --yes', { HOSTILE: 'canary-updated' });
  await run('log show 3 -o json');
  expect(await findLeaks(world, runs)).toEqual([]);
});

test('an outside value is not shown or recorded by rollouts, reconcile, call tests and callflow pages', async () => {
  const world = await openWorld();
  const sub = await world.telctl('accounts create --name Sub');
  expect(sub.code, sub.stderr).toBe(0);
  const given = {
    'm.yaml': `users: { a: { username: "u\${env.DIGITS}", first_name: "\${env.CANARY}", last_name: B, password: "\${env.CANARY}" } }
devices: { d: { name: "\${env.CANARY} phone", owner_id: "\${users.a}" } }
vmboxes: { v: { mailbox: "\${env.DIGITS}", name: "\${env.CANARY}", owner_id: "\${users.a}" } }
callflows:
  c:
    name: "flow \${env.CANARY}"
    numbers: ["2005"]
    flow: { module: user, data: { id: "\${users.a}" }, children: { _: { module: voicemail, data: { id: "\${vmboxes.v}" } } } }
`,
    'calls.yaml': `at: 2026-11-30 10:00 Europe/Zurich
cases: [{ name: one, call: { from: "+13125550199", to: "2005" }, expect: { answered_by: user:x } }]
`,
    'accounts.txt': 'Sub\n',
  };
  const lines = [
    'rollout start -f m.yaml --accounts accounts.txt --yes',
    'rollout show 1 -o json',
    'reconcile -f m.yaml --accounts accounts.txt --once -o json',
    'rollout undo 1 --yes',
    'reconcile -f m.yaml --accounts accounts.txt --once',
    ...['table', 'json', 'junit'].map((format) => `test calls.yaml -f m.yaml -o ${format}`),
    'test --explore 20 -f m.yaml',
    'callflows trace 2005 -f m.yaml',
    'callflows show c -f m.yaml',
  ];
  const runs: (readonly [string, Run])[] = [];
  for (const line of lines) runs.push([line, await world.telctl(line, { env, files: given })]);
  expect(runs[0]?.[1].code, runs[0]?.[1].stderr).toBe(0);
  expect(await findLeaks(world, runs)).toEqual([]);
});
