import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { apply } from '../../../src/library/manifest.ts';
import { type Client, connect as connectClient } from '../../../src/library/profile.ts';
import { connect as connectAssistant } from '../../support/assistant.ts';
import { failureOf } from '../../support/failure-of.ts';
import { entryPoints, type Guard, guards, type Row } from '../../support/guard-table.ts';
import { isSignIn, openWorld, type Run, type RunOptions, type World } from '../../support/world.ts';

// Tests each row of test/support/guard-table.ts against one service.

const secret = 'First-Sign-In';
const person = (name: string, level = 'admin') =>
  `{ username: ${name}, first_name: Al, last_name: Bo, priv_level: ${level}, password: ${secret} }`;

const files: Record<string, string> = {
  'kept.yaml': 'set: kept\nmenus: { side: { name: Side }, main: { name: Main, protect: true } }\n',
  'less.yaml': 'set: kept\nmenus: { side: { name: Side } }\n',
  'office.yaml': `set: office\nusers: { alice: ${person('alice', 'user')} }
devices: { desk: { name: Desk, owner_id: "\${users.alice}", protect: true } }\n`,
  'other.yaml': 'set: free\nmenus: { other: { name: Other } }\n',
  'more.yaml': 'set: more\nmenus: { more: { name: More }, yet: { name: Yet } }\n',
  'taken.yaml': 'set: first\nmenus: { taken: { name: Taken, retries: 5 } }\n',
  'took.yaml': 'set: second\nmenus: { taken: { name: Taken, retries: 4 } }\n',
  'tree.yaml':
    'set: tree\nmenus: { root: { name: Root } }\naccounts: { north: { name: north, realm: north.example } }\n',
  'tree-less.yaml': 'set: tree\nmenus: { root: { name: Root } }\n',
  'menu.yaml': 'name: Other\nretries: 5\n',
  'new.csv': 'username,first_name,last_name\nnewone,New,One\n',
  'branch.csv': 'account\nbranch\n',
  ...Object.fromEntries(
    ['maker', 'boss'].flatMap((name) => [
      [`${name}.yaml`, `set: ${name}\nusers: { ${name}: ${person(name)} }\n`],
      [`${name}-user.yaml`, `set: ${name}\nusers: { ${name}: { username: ${name}, priv_level: user } }\n`],
      [`${name}.json`, JSON.stringify({ username: name, first_name: 'A', last_name: 'B', password: secret })],
      [`${name}.csv`, `username,first_name,last_name,role\n${name},A,B,user\n`],
      [`${name}-at.csv`, `account\n${name === 'maker' ? 'acme' : 'branch'}\n`],
    ]),
  ),
};

interface Place {
  readonly world: World;
  /** Values of the words in capitals. */
  readonly ids: Map<string, string>;
  /** Number of commits in the service's store. */
  readonly commits: () => number;
}

async function expectCode(run: Promise<Run>, code = 0): Promise<Run> {
  const done = await run;
  expect(done.code, done.stderr).toBe(code);
  return done;
}

/** Opens one world for all rows, since refused requests do not change it. */
async function openPlace(): Promise<Place> {
  const world = await openWorld({ signIn: 'none' });
  const { seed, sandbox, telctl } = world;
  // Programs that use the library call it over a socket, with the same profiles and ledgers.
  const url = await sandbox.app.listen({ port: 0, host: '127.0.0.1' });
  const loginWithKey = (profile: string) =>
    expectCode(
      telctl(['login', '--profile', profile, '--base-url', url, '--api-key-stdin'], { stdin: seed.apiKey }),
    );
  const login = (profile: string, username: string, password: string, account: string = seed.accountName) =>
    expectCode(
      telctl(
        [
          ...['login', '--profile', profile, '--base-url', url, '--account-name', account],
          ...['--username', username, '--password-stdin'],
        ],
        { stdin: password },
      ),
    );
  await loginWithKey('test');
  for (const [name, protect] of [
    ['plan', 'read-only'],
    ['ask', 'confirm'],
  ] as const) {
    world.clock.turn(1_000);
    await loginWithKey(name);
    await expectCode(telctl(`profiles set ${name} --protect ${protect}`));
  }
  await expectCode(telctl('profiles use test'));
  const ids = new Map<string, string>();
  const listJson = async (line: string): Promise<readonly JsonObject[]> =>
    JSON.parse((await expectCode(telctl(`${line} -o json`))).stdout);
  const storeId = async (word: string, line: string, name: string) => {
    const found = (await listJson(line)).find((each) => each.name === name || each.username === name);
    ids.set(word, String(found?.id));
  };
  const applyAndStoreRun = async (word: string, line: string) => {
    await expectCode(telctl(`${line} --yes`, { files }));
    const [newest] = await listJson(`apply history${line.includes('branch') ? ' --account branch' : ''}`);
    ids.set(`RUN_${word}`, String(newest?.run));
  };
  let rollouts = 0;
  const startRollout = async (word: string, line: string, options: RunOptions = {}, code = 0) => {
    await expectCode(telctl(`rollout start ${line} --yes`, { files, ...options }), code);
    rollouts += 1;
    ids.set(`ROLLOUT_${word}`, String(rollouts));
  };
  await expectCode(telctl('accounts create --name branch --realm branch.example'));
  await applyAndStoreRun('OFFICE', 'apply -f office.yaml');
  await applyAndStoreRun('OTHER', 'apply -f other.yaml');
  await applyAndStoreRun('SIDE', 'apply -f less.yaml');
  await applyAndStoreRun('KEPT', 'apply -f kept.yaml');
  await applyAndStoreRun('TAKEN', 'apply -f taken.yaml');
  await expectCode(telctl('apply -f took.yaml --take-over --yes --max-change-percent 100'));
  await applyAndStoreRun('ROOT', 'apply -f tree-less.yaml');
  await applyAndStoreRun('TREE', 'apply -f tree.yaml');
  await startRollout('SIDE', '-f less.yaml --accounts branch.csv');
  await startRollout('KEPT', '-f kept.yaml --accounts branch.csv');
  await startRollout('TAKEN', '-f taken.yaml --accounts branch.csv');
  await expectCode(telctl('apply -f took.yaml --take-over --yes --account branch --max-change-percent 100'));
  for (const name of ['maker', 'boss']) {
    await startRollout(name.toUpperCase(), `-f ${name}.yaml --accounts ${name}-at.csv`);
    const at = name === 'boss' ? ' --account branch' : '';
    const [newest] = await listJson(`apply history${at}`);
    ids.set(`RUN_${name.toUpperCase()}`, String(newest?.run));
    await storeId(name.toUpperCase(), `users list${at}`, name);
  }
  const cut = { method: 'PUT', path: /menus$/, fault: { kind: 'answer', status: 400, body: '{}' } } as const;
  await startRollout('STOPPED', '-f more.yaml --accounts branch.csv', { faults: [cut] }, 8);
  await expectCode(telctl('plan -f more.yaml --out kept.plan'));
  await expectCode(telctl('plan -f more.yaml --accounts branch.csv --out fleet.plan'));
  world.clock.turn(1_000);
  await login('maker', 'maker', secret);
  await expectCode(telctl('profiles use test'));
  await storeId('MAIN', 'menus list', 'Main');
  await storeId('OTHER', 'menus list', 'Other');
  await storeId('BRANCH', 'accounts list', 'branch');
  await storeId('NORTH', 'accounts list', 'north');
  const twin = await world.twinAccount();
  ids.set('TWIN', twin.accountId).set('URL', url);
  await world.twinService();
  world.clock.turn(1_000);
  await login('twin-account', seed.adminUsername, seed.adminPassword, twin.accountName);
  await expectCode(telctl('profiles use test'));
  files['twin.csv'] = `account\n${twin.accountId}\n`;
  let commits = 0;
  sandbox.store.watch(() => {
    commits += 1;
  });
  return { world, ids, commits: () => commits };
}

/** Result of a row: its exit code (1 for failures of assistants and programs) and its output. */
interface Outcome {
  readonly code: number;
  readonly said: string;
  readonly writes: readonly string[];
}

const formatWrites = ({ requests }: Run): readonly string[] =>
  requests.flatMap((sent) =>
    sent.method === 'GET' || isSignIn(sent) ? [] : [`${sent.method} ${sent.path}`],
  );

/** The change that assistants and programs send. */
const change = { retries: 5 };

async function runAsAssistant(
  { world }: Place,
  entryPoint: string,
  line: string,
  profile: readonly string[],
): Promise<Outcome> {
  const [noun = '', verb = '', operand = '', ...more] = line.split(' ');
  const allowed = entryPoint === 'mcp' ? [] : ['--allow-writes', '--allow-deletes'];
  const place = more.includes('--account') ? more.slice(more.indexOf('--account')) : [];
  const session = await connectAssistant(world, ['mcp', ...allowed, ...place, ...profile].join(' '));
  const options = {
    ...(verb === 'patch' ? { 'set-json': ['retries=5'] } : {}),
    ...(more.includes('--yes') ? { yes: true } : {}),
  };
  const answer = await session.call(noun, { verb, arguments: [operand], options });
  const run = await session.end();
  return { code: answer.isError ? 1 : 0, said: JSON.stringify(answer), writes: formatWrites(run) };
}

async function runAsProgram(
  { world: { folders, seed }, ids }: Place,
  line: string,
  profile: string,
): Promise<Outcome> {
  const [noun = '', verb = '', operand = '', ...more] = line.split(' ');
  const account = more.includes('--account') ? { account: more[more.indexOf('--account') + 1] ?? '' } : {};
  // Profiles do not store passwords.
  const signIn =
    profile === 'maker'
      ? {
          ...{ baseUrl: ids.get('URL') ?? '', accountName: seed.accountName },
          ...{ username: profile, password: secret },
        }
      : { profile };
  const client: Client = connectClient({
    ...{ ...signIn, ...account, configFolder: `${folders.home}/.config/telctl` },
    ...{ stateFolder: `${folders.home}/.local/state/telctl`, cwd: folders.cwd },
  });
  const callClient = async (): Promise<unknown> => {
    if (noun !== 'apply')
      return Reflect.apply(Reflect.get(Object(Reflect.get(client, noun)), verb), undefined, [
        operand,
        change,
      ]);
    const { failure } = await apply(client, { files: [`${folders.cwd}/${verb}`], cwd: folders.cwd });
    return failure && Promise.reject(failure);
  };
  try {
    const { message, hint } = await failureOf(callClient());
    return { code: 1, said: `${message} ${hint}`, writes: [] };
  } finally {
    await client.close();
  }
}

async function tryRow(place: Place, entryPoint: string, { line }: Row, { as }: Guard): Promise<Outcome> {
  const filled = [...place.ids]
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((text, [word, id]) => text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), id), line);
  const profile = as === undefined ? [] : ['--profile', as];
  if (entryPoint.startsWith('mcp')) return runAsAssistant(place, entryPoint, filled, profile);
  if (entryPoint === 'library') return runAsProgram(place, filled, as ?? 'test');
  const { code, stderr, stdout, ...run } = await place.world.telctl(`${filled} ${profile.join(' ')}`, {
    files,
    processes: { pid: 1 },
  });
  return { code, said: stderr + stdout, writes: formatWrites({ ...run, code, stderr, stdout }) };
}

/** Returns the deviations of a guard from its expected refusals. */
async function findDeviations(place: Place, name: string, guard: Guard): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const entryPoint of entryPoints) {
    const cell = guard.cells[entryPoint];
    if ('no' in cell) continue;
    const before = place.commits();
    const { code, said, writes } = await tryRow(place, entryPoint, cell, guard);
    // A refusal proposes a next step: an option, a command, or another sentence. MCP tools have their own format.
    const leadsOn = code === 0 || entryPoint.startsWith('mcp') || /--\w|telctl |\.\s+\S/.test(said);
    const isRefused = code === cell.code && cell.says.test(said) && leadsOn;
    const isKept = place.commits() === before && (guard.reaches === true || writes.length === 0);
    if (!isRefused || !isKept)
      wrong.push(
        `${name} x ${entryPoint}: ${cell.line}: ${code} for ${cell.code}, ${place.commits() - before} commits, ${writes}: ${said}`,
      );
  }
  return wrong;
}

/** Tries the rows of a guard during a rollout, between two of its changes. */
async function tryDuringRollout({ world, ids }: Place, tries: () => Promise<void>): Promise<void> {
  const put = { method: 'PUT', path: /menus$/, times: 1 };
  const does = async () => {
    const [newest] = JSON.parse((await world.telctl('rollout list -o json')).stdout);
    ids.set('ROLLOUT_RUNNING', newest.rollout);
    await tries();
  };
  const line = 'rollout start -f more.yaml --accounts branch.csv --yes --concurrency 1';
  const faults = [
    { ...put, fault: { kind: 'pass' } },
    { ...put, fault: { kind: 'meanwhile', does } },
  ] as const;
  await expectCode(world.telctl(line, { files, faults }));
}

test('each guard holds for each entry point', async () => {
  const place = await openPlace();
  const wrong: string[] = [];
  for (const [name, guard] of Object.entries(guards)) {
    const tries = async () => void wrong.push(...(await findDeviations(place, name, guard)));
    await (guard.whileRunning ? tryDuringRollout(place, tries) : tries());
  }
  expect(wrong.join('\n')).toBe('');
});
