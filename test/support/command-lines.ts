import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { operations, resources } from '../../src/contract/catalogue.ts';
import { bodyExample } from '../../src/contract/samples.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import {
  createNumber,
  createPlace,
  type Input,
  minimalRecords,
  operationRows,
  type Place,
  sound,
} from '../conformance/operation-rows.ts';
import type { CalledSandbox } from './called-sandbox.ts';
import type { FaultRule } from './faults.ts';
import { isDoable, mode } from './mode.ts';
import { receiver } from './receiver.ts';
import { smallOffice } from './small-office.ts';
import { type RunOptions, signedInOnce, type World } from './world.ts';

/** A command line that works in its world, with everything needed to run it. */
export interface CommandLine {
  readonly command: Command;
  /** All words after `telctl`, except options that answer questions. */
  readonly argv: readonly string[];
  /** Standard input, files, and the signal that ends an endless command. */
  readonly run: RunOptions;
  /** The command changes records of the service. */
  readonly changes: boolean;
  /** The command is destructive and must ask. */
  readonly destroys: boolean;
  /** Options that answer its question without a terminal: `--yes`. */
  readonly answered: readonly string[];
  /** Confirming answer at a terminal: `y`, or a name. */
  readonly typed: string;
  /** Exit code of a successful run. */
  readonly code: number;
}

/** Resources of compatible services with equal responses in every mode. Devices represent all of them. */
const conventional = new Set<string>(
  resources
    .filter(
      ({ name, operations: all }) => name !== 'devices' && all.every(({ source }) => source === 'convention'),
    )
    .map(({ name }) => name),
);
const genericVerbs = new Set(['list', 'get', 'create', 'update', 'patch', 'delete']);

/**
 * Returns true if an operation is tried in the mode of this run. In other modes, one conventional resource represents
 * all: their six verbs share code and responses.
 */
export const isTriedHere = (resource: string, verb: string): boolean =>
  mode === undefined || !conventional.has(resource) || !genericVerbs.has(verb);

/** One implementation edits all resources. It is tested with users. */
const isTriedCommand = ({ path, operations: [id = ''] = [] }: Command): boolean => {
  const [resource = '', verb = ''] = id.split('.');
  if (path.at(-1) === 'edit') return path[0] === 'users';
  // It needs a shared database: test/conformance/long-running-shared-state.test.ts.
  if (path.join(' ') === 'rollout worker') return false;
  return isTriedHere(resource, verb);
};

/** Every loaded command that works in the mode of this run. */
export const allCommands: readonly Command[] = (await Promise.all(allNouns().map((noun) => noun.commands())))
  .flat()
  .filter((command) => isTriedCommand(command) && isDoable(command));

/** Parts of a command line. The rest is derived from its command. */
interface Draft {
  readonly words?: readonly string[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly run?: RunOptions;
  readonly as?: 'super';
  /** The command concerns the whole service, not an account. */
  readonly everywhere?: true;
  readonly changes?: true;
  readonly destroys?: true;
  readonly answered?: readonly string[];
  readonly typed?: string;
  readonly code?: number;
}

/** A world and an account for records. */
interface Stage {
  readonly world: World;
  readonly place: Place;
  /** Returns input for an operation, and creates its records. */
  inputOf(id: string): Promise<Input>;
  /** Returns the first id in the input of an operation. */
  idFor(id: string): Promise<string>;
}

/** Returns the sandbox as seen from another account. Test records are created there. */
const inAccount = (sandbox: CalledSandbox, accountId: string): CalledSandbox => ({
  ...sandbox,
  seed: { ...sandbox.seed, accountId },
  adminToken: sandbox.superToken,
});

const hostOf = ({ url }: World): string => new URL(url).hostname;
const manifest = { files: { 'office.yaml': smallOffice } } as const;
const onFile = ['-f', 'office.yaml'];
const withManifest: Draft = { words: onFile, ...manifest };

/** Creates records in the account of the command line, without that line. */
async function runForSetup({ world, place }: Stage, words: readonly string[], run: RunOptions = {}) {
  const { accountId } = place.sandbox.seed;
  const own = accountId === world.seed.accountId ? [] : ['--account', accountId];
  const done = await world.telctl([...words, ...own], run);
  if (done.code !== 0) throw new Error(`telctl ${words.join(' ')}: ${done.stderr}`);
}

const applyManifest = (stage: Stage) => runForSetup(stage, ['apply', ...onFile, '--yes'], manifest);

/** One account as a fleet. */
const fleetDraft = ({ place }: Stage): Draft => ({
  words: [...onFile, '--accounts', 'accounts.txt'],
  files: { ...manifest.files, 'accounts.txt': place.sandbox.seed.accountId },
});

async function startRollout(stage: Stage): Promise<void> {
  const { files = {} } = fleetDraft(stage);
  await runForSetup(stage, ['rollout', 'start', ...onFile, '--accounts', 'accounts.txt', '--yes'], { files });
}

/** Starts a rollout that stops at its first menu. */
async function startStoppedRollout(stage: Stage): Promise<void> {
  const { files = {} } = fleetDraft(stage);
  const line = ['rollout', 'start', ...onFile, '--accounts', 'accounts.txt', '--yes'];
  const fault = { kind: 'answer', status: 400, body: '{"status":"error","error":"400","data":{}}' } as const;
  const faults: readonly FaultRule[] = [{ method: 'PUT', path: /menus$/, fault }];
  // In modes without manifests, it ends successfully and cannot be resumed.
  await stage.world.telctl(line, { files, faults });
}

const draftWithId =
  (operation: string) =>
  async (stage: Stage): Promise<Draft> => ({
    words: [await stage.idFor(operation)],
  });

const draftWithIdAnd =
  (operation: string, word: string) =>
  async (stage: Stage): Promise<Draft> => ({ words: [await stage.idFor(operation), word] });

const signingIn = { ...minimalRecords.users, username: 'ann', password: 'first-sign-in' };

/** A callflow with a number. */
const createCallflow = ({ place }: Stage) =>
  place.make('callflows', { name: 'Main line', numbers: ['+15551230000'], flow: hangup });
const hangup = { module: 'hangup', data: {}, children: {} } as const;

/** A command line about the comments of a user. */
const draftOnComment =
  (words: readonly string[]) =>
  async (stage: Stage): Promise<Draft> => {
    const { path = {} } = await stage.inputOf('comments.get-of-user');
    return { words: [...words, '--user', path.user_id ?? ''] };
  };

const queueDraft = async (stage: Stage): Promise<Draft> => ({
  words: [await stage.idFor('agents.state'), await stage.idFor('queues.roster')],
});

type Drafts = Draft | readonly Draft[];

/** Explains to the author of a new command where its failed line comes from. */
export const explainLine = ({ command, argv }: CommandLine, stderr: string): string =>
  `telctl ${argv.join(' ')}: ${stderr}
The tests make this line. If it is not a line that works, add a row "${command.path.join(' ')}" to \`special\` in test/support/command-lines.ts.`;

/** Command lines that cannot be derived from the operation of their command. */
const specialLines: Readonly<Record<string, Drafts | ((stage: Stage) => Drafts | Promise<Drafts>)>> = {
  login: ({ world }) => ({
    words: ['--profile', 'second', '--base-url', world.url, '--api-key-stdin'],
    stdin: world.seed.apiKey,
  }),
  'profiles use': ({ world }) => ({ words: [world.profile] }),
  'profiles set': ({ world }) => ({ words: [world.profile, '--protect', 'none'] }),
  'profiles delete': ({ world }) => ({ words: [world.profile], destroys: true }),
  'tokens info': { words: [] },
  'tokens revoke-all': async ({ world, place }) => {
    const ann = await place.make('users', signingIn);
    const host = hostOf(world);
    // If users cannot be read, only their id is accepted.
    const typed = world.behaviour.operations === 'all' ? signingIn.username : ann;
    return [
      { words: ['--scope', 'user', '--user', ann], answered: ['--yes'], typed },
      { words: ['--scope', 'account'], answered: ['--yes'], typed: 'acme' },
      {
        ...{ words: ['--scope', 'system'], as: 'super', everywhere: true },
        ...{ answered: ['--confirm', host], typed: host },
      },
    ];
  },
  'accounts compare': async (stage) => ({
    words: [stage.place.sandbox.seed.accountId, await stage.idFor('accounts.delete')],
  }),
  'accounts copy': async (stage) => {
    await stage.place.make('menus', { name: 'Main menu' });
    return {
      words: [
        ...[stage.place.sandbox.seed.accountId, await stage.idFor('accounts.delete')],
        ...['--only', 'menus', '--into-existing'],
      ],
      answered: ['--yes'],
    };
  },
  'accounts delete': async (stage) => ({
    words: [await stage.idFor('accounts.delete')],
    answered: ['--confirm', minimalRecords.accounts.name],
    typed: minimalRecords.accounts.name,
  }),
  'keys reset': async (stage) => ({
    words: [await stage.idFor('keys.reset')],
    as: 'super',
    answered: ['--confirm', hostOf(stage.world)],
    typed: hostOf(stage.world),
  }),
  'users password': async ({ place }) => ({
    words: [await place.make('users', signingIn), '--password-file', 'password.txt'],
    files: { 'password.txt': 'second-sign-in\n' },
  }),
  'users import': {
    words: ['users.csv'],
    files: { 'users.csv': 'username,first_name,last_name,password\nbob,Bob,Berg,first-sign-in\n' },
  },
  'channels hangup': draftWithId('channels.act'),
  'channels break': draftWithId('channels.act'),
  'channels intercept': draftWithIdAnd('channels.act', '2001'),
  'channels transfer': draftWithIdAnd('channels.act', '2001'),
  'channels callflow': async (stage) => draftWithIdAnd('channels.act', await createCallflow(stage))(stage),
  'channels metaflow': draftWithIdAnd('channels.metaflow', 'hold'),
  'recordings download': draftWithIdAnd('recordings.get', 'call.mp3'),
  'tasks create': { words: ['number_management', 'list'] },
  'tasks follow': draftWithId('tasks.output'),
  'tasks download': async (stage) => ({ words: [await stage.idFor('tasks.output'), 'out.csv'] }),
  'callflows show': draftWithId('callflows.get'),
  'callflows lint': async (stage) => ({ words: [await createCallflow(stage)] }),
  'callflows trace': async (stage) => {
    await createCallflow(stage);
    return { words: ['+15551230000'] };
  },
  'callflows copy': async (stage) => ({
    words: [await createCallflow(stage), '--to-name', 'Second line', '--numbers', '+15551230009'],
  }),
  'limits set': { words: ['--inbound-trunks', '0'] },
  'webhooks enable': draftWithId('webhooks.get'),
  'webhooks disable': draftWithId('webhooks.get'),
  // It runs until interrupted, which happens when it subscribes.
  'webhooks listen': ({ world }) => {
    const stop = new AbortController();
    const met = () => stop.abort();
    const faults: readonly FaultRule[] = [{ method: 'PUT', path: /webhooks$/, fault: { kind: 'pass' }, met }];
    const url =
      world.behaviour.webhooks.loopback === 'refused' ? ['--public-url', 'https://tunnel.example'] : [];
    return { words: ['--hook', 'sms', ...url], run: { interrupted: stop.signal, faults } };
  },
  watch: ({ world }) => {
    const endsAt = (method: string, count = 1) => {
      const stop = new AbortController();
      let left = count;
      const met = () => {
        left -= 1;
        if (left === 0) stop.abort();
      };
      const faults: readonly FaultRule[] = [{ method, path: /webhooks$/, fault: { kind: 'pass' }, met }];
      return { interrupted: stop.signal, faults };
    };
    const url =
      world.behaviour.webhooks.loopback === 'refused' ? ['--public-url', 'https://tunnel.example'] : [];
    return [
      { words: ['--poll'], run: endsAt('GET') },
      { words: ['--port', '0', ...url], run: endsAt('PUT', 3), changes: true },
    ];
  },
  console: ({ world }) => {
    const stop = new AbortController();
    const met = () => stop.abort();
    const path = new RegExp(`accounts/${world.seed.accountId}/descendants$`);
    const faults: readonly FaultRule[] = [{ method: 'GET', path, fault: { kind: 'pass' }, met }];
    return { run: { interrupted: stop.signal, faults } };
  },
  // It runs until stopped: test/conformance/long-running-shared-state.test.ts.
  reconcile: [
    { words: [...onFile, '--every', '1h', '--rounds', '1'], ...manifest },
    {
      ...{ words: [...onFile, '--every', '1h', '--rounds', '1', '--correct'], ...manifest },
      ...{ changes: true, answered: ['--yes'] },
    },
  ],
  'webhooks replay': { words: ['--list'] },
  'webhooks trigger': async () => ({ words: ['channel_create', '--url', (await receiver()).url] }),
  'conferences participants get': async (stage) => ({
    words: [await stage.idFor('conferences.get'), '1'],
    // The conference of the sandbox has no participants.
    code: 5,
  }),
  'queues roster set': async (stage) => ({
    words: [await stage.idFor('queues.roster'), await stage.place.make('users')],
  }),
  'queues roster clear': async ({ place }) => {
    const queue = await place.make('queues');
    await place.make('users', { ...minimalRecords.users, queues: [queue] });
    return { words: [queue] };
  },
  'queues eavesdrop': async (stage) => ({
    words: [await stage.idFor('queues.roster'), '--device', await stage.place.make('devices')],
  }),
  'agents status': {},
  'agents pause': async (stage) => ({ words: [await stage.idFor('agents.state'), '--for', '15m'] }),
  'agents join': queueDraft,
  'agents leave': queueDraft,
  'comments list': draftOnComment([]),
  'comments get': draftOnComment(['0']),
  'comments add': draftOnComment(['--content', 'Hello']),
  'comments update': draftOnComment(['0', '--content', 'Hello again']),
  'comments remove': draftOnComment(['0']),
  'comments clear': draftOnComment([]),
  search: { words: ['user', 'adm'] },
  'whitelabel upload': async (stage) => {
    await stage.inputOf('whitelabel.get');
    return { words: ['logo', 'logo.png'], files: { 'logo.png': 'PNG' } };
  },
  'whitelabel download': async (stage) => {
    await stage.inputOf('whitelabel.get');
    return { words: ['logo', 'copy.png'] };
  },
  'whitelabel domains': { words: ['--domain', 'portal.acme.example'] },
  'whitelabel check-domains': { words: ['--domain', 'portal.acme.example'] },
  'presence set': async (stage) => ({
    words: ['--user', await stage.place.make('users'), '--show', 'early'],
  }),
  'carriers jobs create': {
    words: ['--resource-id', 'f'.repeat(32), '--set-json', 'numbers=["+14155550188"]'],
  },
  'numbers locality': { words: ['+14155550123'] },
  'numbers check': { words: ['+14155550123'] },
  'numbers search': { words: ['--prefix', '212'] },
  // KAZOO sells no numbers, so an unused number is created first.
  'numbers buy': async ({ place }) => {
    await createNumber('reserved')(place);
    return { words: ['+14155550123'] };
  },
  'lists entries add': async (stage) => {
    const { path = {} } = await stage.inputOf('list_entries.create');
    return { words: [path.list_id ?? '', '--number', '14155550177'] };
  },
  'lists entries import': async (stage) => {
    const { path = {} } = await stage.inputOf('list_entries.create');
    return { words: [path.list_id ?? '', 'callers.csv'], files: { 'callers.csv': 'number\n14155550178\n' } };
  },
  'lists entries list': async (stage) => {
    const { path = {} } = await stage.inputOf('list_entries.list');
    return { words: [path.list_id ?? ''] };
  },
  'lists entries clear': async (stage) => {
    const { path = {} } = await stage.inputOf('list_entries.clear');
    return { words: [path.list_id ?? ''] };
  },
  'media upload': async ({ place }) => ({
    words: [await place.make('media'), 'hello.mp3'],
    files: { 'hello.mp3': sound.bytes.toString() },
  }),
  'media download': async (stage) => ({ words: [await stage.idFor('media.download'), 'hello.mp3'] }),
  'notifications text': draftWithId('notifications.get'),
  'notifications customise': async (stage) => ({
    words: [await stage.idFor('notifications.get'), '--subject', 'Welcome', '--html', 'welcome.html'],
    files: { 'welcome.html': '<p>Welcome</p>' },
  }),
  'notifications system text': async () => ({ words: ['new_user'] }),
  'notifications system customise': async (stage) => ({
    words: [
      await stage.idFor('system_notifications.change'),
      '--subject',
      'Welcome',
      '--html',
      'welcome.html',
    ],
    as: 'super',
    everywhere: true,
    files: { 'welcome.html': '<p>Welcome</p>' },
  }),
  'notifications preview': async (stage) => ({
    words: [await stage.idFor('notifications.get'), '--to', 'ann@acme.example'],
  }),
  'notifications tell-customers': async (stage) => {
    await stage.inputOf('notifications.tell-customers');
    return { words: ['--subject', 'Works', '--text', 'works.txt'], files: { 'works.txt': 'On Sunday' } };
  },
  'vmboxes messages move': async (stage) => {
    const { path = {} } = await stage.inputOf('messages.update');
    return { words: [...Object.values(path), '--folder', 'saved'] };
  },
  'ports schedule': async (stage) => ({
    words: [await stage.idFor('ports.schedule'), '--date', '2030-01-31T09:00Z'],
    as: 'super',
  }),
  'ports documents add': async (stage) => ({
    words: [await stage.idFor('ports.add-document'), 'bill.pdf'],
    files: { 'bill.pdf': '%PDF-1.4 bill' },
  }),
  'ports documents get': async (stage) => ({
    words: [...Object.values((await stage.inputOf('ports.document')).path ?? {}), 'fetched.pdf'],
  }),
  'ports comments add': async (stage) => ({
    words: [await stage.idFor('ports.comment'), '--content', 'Hello'],
  }),
  'sso callback': async (stage) => {
    const { data } = await stage.inputOf('tokens.callback');
    const text = readField(data);
    const words = ['--provider', 'google', '--client-id', text('client_id')];
    return { words: [...words, '--redirect-uri', text('redirect_uri'), '--code-stdin'], stdin: text('code') };
  },
  'sso authorize': async (stage) => {
    const { data } = await stage.inputOf('tokens.authorize');
    return { words: ['--provider', 'google', '--token-stdin'], stdin: readField(data)('token') };
  },
  test: {
    words: ['calls/office.yaml'],
    files: {
      'calls/office.yaml': `at: 2026-11-23 10:00 UTC
cases:
  - name: Nobody has this number
    call: { from: +13125550100, to: +12125550199 }
    expect: { ends_in: nobody }
`,
    },
  },
  validate: withManifest,
  diff: withManifest,
  plan: withManifest,
  show: async (stage) => {
    await runForSetup(stage, ['plan', ...onFile, '--out', 'office.plan'], manifest);
    return { words: ['office.plan'] };
  },
  fmt: { words: ['office.yaml'], files: { 'office.yaml': smallOffice } },
  apply: withManifest,
  'apply history': async (stage) => {
    await applyManifest(stage);
    return {};
  },
  export: {},
  adopt: async (stage) => {
    await stage.place.make('menus', { name: 'Main menu' });
    return withManifest;
  },
  'users onboard': {
    words: [
      '--first-name',
      'Fay',
      '--last-name',
      'Foster',
      '--extension',
      '2014',
      '--softphone',
      '--generate',
    ],
  },
  'users offboard': async ({ place }) => {
    const ann = await place.make('users', signingIn);
    const bob = await place.make('users', { ...signingIn, username: 'bob' });
    await place.make('devices', { name: 'Phone of Ann', owner_id: ann });
    const flow = { module: 'user', data: { id: ann }, children: {} };
    await place.make('callflows', { name: 'Ann', numbers: ['2001'], flow });
    const eve = await place.make('users', { ...signingIn, username: 'eve' });
    return [{ words: [ann, '--to', bob] }, { words: [eve] }];
  },
  'users edit': async (stage) => ({
    words: [await stage.idFor('users.patch')],
    run: { env: { EDITOR: 'echo \'presence_id: "2001"\' >>' } },
  }),
  // With a run id: without one, only the author can revert the last run, and other users run these lines.
  undo: async (stage) => {
    await applyManifest(stage);
    return { words: ['1'] };
  },
  'state show': async (stage) => {
    await applyManifest(stage);
    return { words: [stage.place.sandbox.seed.accountId] };
  },
  'state forget': async (stage) => {
    await applyManifest(stage);
    return { words: [stage.place.sandbox.seed.accountId], answered: ['--yes'] };
  },
  'state migrate': ({ world }) => ({
    words: ['--from', `file:${join(world.folders.home, '.local/state/telctl')}`, '--to', 'file:copy'],
  }),
  'state merge': ({ world: { url, seed } }) => {
    const head = { version: 2, origin: url, accountId: seed.accountId, salt: '0'.repeat(64) };
    const ledgers = ['base.ledger.json', 'ours.ledger.json', 'theirs.ledger.json'];
    return { words: ledgers, files: Object.fromEntries(ledgers.map((name) => [name, JSON.stringify(head)])) };
  },
  'state trust': { words: ['postgres://telctl@db.example/telctl'] },
  'rollout start': (stage) => fleetDraft(stage),
  'rollout resume': async (stage) => {
    await startStoppedRollout(stage);
    return { words: ['1'] };
  },
  'rollout undo': async (stage) => {
    await startRollout(stage);
    return { words: ['1'] };
  },
  'rollout show': async (stage) => {
    await startRollout(stage);
    return { words: ['1'] };
  },
  'rollout cancel': async (stage) => {
    await startRollout(stage);
    return { words: ['1'] };
  },
  'log show': async (stage) => {
    await applyManifest(stage);
    return { words: ['1'] };
  },
  find: async (stage) => {
    await createCallflow(stage);
    return { words: ['+15551230000'] };
  },
  schema: { words: ['users'] },
  api: async ({ inputOf, place: { sandbox } }) => {
    const { path = {} } = await inputOf('users.get');
    const account = '/v2/accounts/{account_id}';
    const user = `${account}/users/${path.user_id}`;
    const own = account.replace('{account_id}', sandbox.seed.accountId);
    const data = { binding_digit: '#' };
    await sandbox.call('POST', `${own}/metaflows`, { token: await sandbox.adminToken(), data });
    return [
      { words: ['GET', `${account}/limits`] },
      { words: ['PATCH', user, '--field', 'timezone=Europe/Zurich'], changes: true },
      { words: ['DELETE', `${account}/metaflows`], changes: true, destroys: true },
      {
        words: ['PUT', '/v2/accounts/{account_id}/auth', '-f', 'reset.json'],
        files: { 'reset.json': JSON.stringify({ action: 'reset_signature_secret', data: {} }) },
        changes: true,
        destroys: true,
        typed: 'acme',
      },
    ];
  },
  conformance: [{}, { words: ['--write'], changes: true, destroys: true, answered: ['--yes'] }],
  'sandbox exec': { words: ['true'] },
  completion: { words: ['bash'] },
  'completion install': { words: ['bash'] },
  'mcp install': { words: ['.skills'], answered: ['--yes'] },
};

const readField =
  (data: Json | undefined) =>
  (field: string): string =>
    isObject(data) ? String(data[field]) : '';

const takesFile = ({ options }: Command): boolean =>
  Object.values(options).some(({ flag }) => flag === 'file');

/** Records that every service accepts, for examples with optional features. */
const offeredByAll: Partial<Readonly<Record<ResourceName, JsonObject>>> = {
  numbers: { porting: { comments: ['Moved'] } },
};

/** Returns the line of a command with one operation: records as arguments, the body as a file. */
async function createDraft(command: Command, { inputOf }: Stage): Promise<Draft> {
  const [id = ''] = command.operations ?? [];
  const operation = operations.find((each) => each.id === id);
  const row = operationRows.get(id);
  if (!operation || !row) return {};
  const { path = {}, data } = await inputOf(id);
  const example = offeredByAll[operation.resource] ?? bodyExample(operation);
  // The smallest valid request is often empty, and telctl does not send it.
  const sent = isObject(data) && Object.keys(data).length > 0 ? data : example;
  const sendsBody = takesFile(command) && sent !== undefined;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const words = names.flatMap((name) => path[name] ?? []).slice(0, Object.keys(command.arguments).length);
  return {
    words: [...words, ...(sendsBody ? ['-f', 'body.json'] : [])],
    ...(sendsBody ? { files: { 'body.json': JSON.stringify(sent) } } : {}),
    ...(row.as ? { as: row.as } : {}),
  };
}

/** Returns true for a command that may ask a question answered by `--yes`. */
const mayAsk = ({ effect }: Command): boolean => effect !== 'read' && effect !== 'local';

/** Returns true for a command about records of an account. */
const isInAccount = ({ operations: [id] = [] }: Command): boolean =>
  operations.some((each) => each.id === id && each.path.includes('{account_id}/'));

/** Signs in the super administrator with a profile that becomes the default. */
export async function signInSuper({ telctl, url, seed }: World): Promise<void> {
  const login = ['login', '--profile', 'super', '--base-url', url, '--account-name', 'platform'];
  const run = await telctl([...login, '--username', seed.superUsername, '--password-stdin'], {
    stdin: seed.superPassword,
  });
  if (run.code !== 0) throw new Error(run.stderr);
}

/** Adds a profile of the super administrator to the world. The default profile stays. */
export async function asSuper(world: World): Promise<readonly string[]> {
  await signedInOnce(world, 'beside super', async () => {
    await signInSuper(world);
    await world.telctl(`profiles use ${world.profile}`);
  });
  return ['--profile', 'super'];
}

/**
 * Returns working lines of a command. Each named record is created in the world, each file is written, and a
 * confirmed run exits with `code`. A command with several functions has a line for each. With `accountId`, records
 * are created in that account, and the caller adds `--account`. Commands of a running sandbox (`sandbox …`) only get
 * their words.
 */
export async function createLines(
  command: Command,
  world: World,
  { accountId = world.seed.accountId }: { readonly accountId?: string } = {},
): Promise<readonly CommandLine[]> {
  const isOwn = accountId === world.seed.accountId;
  const place = createPlace(isOwn ? world.sandbox : inAccount(world.sandbox, accountId));
  const inputOf: Stage['inputOf'] = async (id) => (await operationRows.get(id)?.minimal?.(place)) ?? {};
  const stage: Stage = {
    world,
    place,
    inputOf,
    idFor: async (id) => Object.values((await inputOf(id)).path ?? {})[0] ?? '',
  };
  const known = specialLines[command.path.join(' ')];
  const drafts =
    typeof known === 'function' ? await known(stage) : (known ?? (await createDraft(command, stage)));
  const lines: CommandLine[] = [];
  for (const draft of Array.isArray(drafts) ? drafts : [drafts]) {
    const {
      words = [],
      stdin,
      files,
      run,
      as,
      everywhere,
      changes,
      destroys,
      answered,
      typed = 'y',
      code = 0,
    } = draft;
    const isDestructive = destroys ?? command.effect === 'destructive';
    // The account of the super administrator is a different one.
    const elsewhere = isOwn && isInAccount(command) && !everywhere ? ['--account', accountId] : [];
    lines.push({
      command,
      argv: [...command.path, ...words, ...(as ? [...(await asSuper(world)), ...elsewhere] : [])],
      run: { ...run, ...(stdin === undefined ? {} : { stdin }), ...(files ? { files } : {}) },
      changes: changes ?? mayAsk(command),
      destroys: isDestructive,
      answered: answered ?? (mayAsk(command) || isDestructive ? ['--yes'] : []),
      typed,
      code,
    });
  }
  return lines;
}
