import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { operations, resources } from '../../src/contract/catalogue.ts';
import { bodyExample } from '../../src/contract/samples.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import {
  type Input,
  least,
  numberIn,
  operationRows,
  type Place,
  placeIn,
  sound,
} from '../conformance/operation-rows.ts';
import type { CalledSandbox } from './called-sandbox.ts';
import type { FaultRule } from './faults.ts';
import { isDoable, mode } from './mode.ts';
import { receiver } from './receiver.ts';
import { smallOffice } from './small-office.ts';
import { type RunOptions, signedInOnce, type World } from './world.ts';

/** A command line that works in the world that it was made for, and all that it is run with. */
export interface CommandLine {
  readonly command: Command;
  /** All words after `telctl`, without what answers a question. */
  readonly argv: readonly string[];
  /** Standard input, files, and what ends a command that has no end of its own. */
  readonly run: RunOptions;
  /** It changes something at the service. */
  readonly changes: boolean;
  /** It destroys something, so it has to ask. */
  readonly destroys: boolean;
  /** Options that answer its question where nobody can be asked: `--yes`. */
  readonly answered: readonly string[];
  /** Answer at a terminal to go on: `y`, or a name. */
  readonly typed: string;
  /** Exit code of a run that goes on; 0 where the world has all that the command is about. */
  readonly code: number;
}

/** Resources that only compatible services have, and that answer in every mode alike; devices stand for all of them. */
const conventional = new Set<string>(
  resources
    .filter(
      ({ name, operations: all }) => name !== 'devices' && all.every(({ source }) => source === 'convention'),
    )
    .map(({ name }) => name),
);
const genericVerbs = new Set(['list', 'get', 'create', 'update', 'patch', 'delete']);

/**
 * Tells whether an operation is tried in this run's mode. In the modes of a service, what the default mode tries with each
 * conventional resource is tried with one: their six verbs are the same code and the same replies.
 */
export const isTriedHere = (resource: string, verb: string): boolean =>
  mode === undefined || !conventional.has(resource) || !genericVerbs.has(verb);

/** All resources are edited by the same code, which is tried with users. */
const isTried = ({ path, operations: [id = ''] = [] }: Command): boolean => {
  const [resource = '', verb = ''] = id.split('.');
  if (path.at(-1) === 'edit') return path[0] === 'users';
  // It needs a database that machines share: test/conformance/long-running-shared-state.test.ts.
  if (path.join(' ') === 'rollout worker') return false;
  return isTriedHere(resource, verb);
};

/** Every command of the registry that can be done in this run's mode, loaded. */
export const allCommands: readonly Command[] = (await Promise.all(allNouns().map((noun) => noun.commands())))
  .flat()
  .filter((command) => isTried(command) && isDoable(command));

/** Parts of a line; the rest follows from its command. */
interface Draft {
  readonly words?: readonly string[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly run?: RunOptions;
  readonly as?: 'super';
  /** It is about the whole service, so that no account leads it. */
  readonly everywhere?: true;
  readonly changes?: true;
  readonly destroys?: true;
  readonly answered?: readonly string[];
  readonly typed?: string;
  readonly code?: number;
}

/** A world, and an account in it in which records are made. */
interface Stage {
  readonly world: World;
  readonly place: Place;
  /** Input that lets an operation work, its records made. */
  inputOf(id: string): Promise<Input>;
  /** The first id in what an operation is given. */
  idFor(id: string): Promise<string>;
}

/** The sandbox as somebody sees it whose account another one is: records of a test are made there. */
const seenFrom = (sandbox: CalledSandbox, accountId: string): CalledSandbox => ({
  ...sandbox,
  seed: { ...sandbox.seed, accountId },
  adminToken: sandbox.superToken,
});

const hostOf = ({ url }: World): string => new URL(url).hostname;
const manifest = { files: { 'office.yaml': smallOffice } } as const;
const onFile = ['-f', 'office.yaml'];
const withManifest: Draft = { words: onFile, ...manifest };

/** Makes records past the line, in the account that the line will be about. */
async function ran({ world, place }: Stage, words: readonly string[], run: RunOptions = {}) {
  const { accountId } = place.sandbox.seed;
  const own = accountId === world.seed.accountId ? [] : ['--account', accountId];
  const done = await world.telctl([...words, ...own], run);
  if (done.code !== 0) throw new Error(`telctl ${words.join(' ')}: ${done.stderr}`);
}

const applied = (stage: Stage) => ran(stage, ['apply', ...onFile, '--yes'], manifest);

/** One account as a fleet. */
const fleetOf = ({ place }: Stage): Draft => ({
  words: [...onFile, '--accounts', 'accounts.txt'],
  files: { ...manifest.files, 'accounts.txt': place.sandbox.seed.accountId },
});

async function rolledOut(stage: Stage): Promise<void> {
  const { files = {} } = fleetOf(stage);
  await ran(stage, ['rollout', 'start', ...onFile, '--accounts', 'accounts.txt', '--yes'], { files });
}

/** A rollout that stopped at its first menu. */
async function stoppedRollout(stage: Stage): Promise<void> {
  const { files = {} } = fleetOf(stage);
  const line = ['rollout', 'start', ...onFile, '--accounts', 'accounts.txt', '--yes'];
  const fault = { kind: 'answer', status: 400, body: '{"status":"error","error":"400","data":{}}' } as const;
  const faults: readonly FaultRule[] = [{ method: 'PUT', path: /menus$/, fault }];
  // Where no manifest can be applied, it ends well, and there is nothing to go on with.
  await stage.world.telctl(line, { files, faults });
}

const ofId =
  (operation: string) =>
  async (stage: Stage): Promise<Draft> => ({
    words: [await stage.idFor(operation)],
  });

/** A line about the record of an operation, and something else. */
const withMore =
  (operation: string, word: string) =>
  async (stage: Stage): Promise<Draft> => ({ words: [await stage.idFor(operation), word] });

const signingIn = { ...least.users, username: 'ann', password: 'first-sign-in' };

/** A callflow that somebody can call. */
const callflow = ({ place }: Stage) =>
  place.make('callflows', { name: 'Main line', numbers: ['+15551230000'], flow: hangup });
const hangup = { module: 'hangup', data: {}, children: {} } as const;

/** A line about the comments on a user who has one. */
const onAnn =
  (words: readonly string[]) =>
  async (stage: Stage): Promise<Draft> => {
    const { path = {} } = await stage.inputOf('comments.get-of-user');
    return { words: [...words, '--user', path.user_id ?? ''] };
  };

const inQueue = async (stage: Stage): Promise<Draft> => ({
  words: [await stage.idFor('agents.state'), await stage.idFor('queues.roster')],
});

type Drafts = Draft | readonly Draft[];

/** Says of a line that did not work where it comes from, for whoever has just added the command. */
export const aboutLine = ({ command, argv }: CommandLine, stderr: string): string =>
  `telctl ${argv.join(' ')}: ${stderr}
The tests make this line. If it is not a line that works, add a row "${command.path.join(' ')}" to \`special\` in test/support/command-lines.ts.`;

/** Lines that do not follow from the operation that their command stands for, by the words of the command. */
const special: Readonly<Record<string, Drafts | ((stage: Stage) => Drafts | Promise<Drafts>)>> = {
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
    // Where users cannot be read, they are named by id alone.
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
    answered: ['--confirm', least.accounts.name],
    typed: least.accounts.name,
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
  'channels hangup': ofId('channels.act'),
  'channels break': ofId('channels.act'),
  'channels intercept': withMore('channels.act', '2001'),
  'channels transfer': withMore('channels.act', '2001'),
  'channels callflow': async (stage) => withMore('channels.act', await callflow(stage))(stage),
  'channels metaflow': withMore('channels.metaflow', 'hold'),
  'recordings download': withMore('recordings.get', 'call.mp3'),
  'tasks create': { words: ['number_management', 'list'] },
  'tasks follow': ofId('tasks.output'),
  'tasks download': async (stage) => ({ words: [await stage.idFor('tasks.output'), 'out.csv'] }),
  'callflows show': ofId('callflows.get'),
  'callflows lint': async (stage) => ({ words: [await callflow(stage)] }),
  'callflows trace': async (stage) => {
    await callflow(stage);
    return { words: ['+15551230000'] };
  },
  'callflows copy': async (stage) => ({
    words: [await callflow(stage), '--to-name', 'Second line', '--numbers', '+15551230009'],
  }),
  'limits set': { words: ['--inbound-trunks', '0'] },
  'webhooks enable': ofId('webhooks.get'),
  'webhooks disable': ofId('webhooks.get'),
  // Without an end of its own: it is interrupted as soon as it subscribes.
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
  // As it goes on until it is stopped, it is tried in test/conformance/long-running-shared-state.test.ts.
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
    // Nobody is in a conference of the sandbox.
    code: 5,
  }),
  'queues roster set': async (stage) => ({
    words: [await stage.idFor('queues.roster'), await stage.place.make('users')],
  }),
  'queues roster clear': async ({ place }) => {
    const queue = await place.make('queues');
    await place.make('users', { ...least.users, queues: [queue] });
    return { words: [queue] };
  },
  'queues eavesdrop': async (stage) => ({
    words: [await stage.idFor('queues.roster'), '--device', await stage.place.make('devices')],
  }),
  'agents status': {},
  'agents pause': async (stage) => ({ words: [await stage.idFor('agents.state'), '--for', '15m'] }),
  'agents join': inQueue,
  'agents leave': inQueue,
  'comments list': onAnn([]),
  'comments get': onAnn(['0']),
  'comments add': onAnn(['--content', 'Hello']),
  'comments update': onAnn(['0', '--content', 'Hello again']),
  'comments remove': onAnn(['0']),
  'comments clear': onAnn([]),
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
  // Services in the field have nothing to sell: a number of their own that nobody has is made first.
  'numbers buy': async ({ place }) => {
    await numberIn('reserved')(place);
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
  'notifications text': ofId('notifications.get'),
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
    const text = textsOf(data);
    const words = ['--provider', 'google', '--client-id', text('client_id')];
    return { words: [...words, '--redirect-uri', text('redirect_uri'), '--code-stdin'], stdin: text('code') };
  },
  'sso authorize': async (stage) => {
    const { data } = await stage.inputOf('tokens.authorize');
    return { words: ['--provider', 'google', '--token-stdin'], stdin: textsOf(data)('token') };
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
    await ran(stage, ['plan', ...onFile, '--out', 'office.plan'], manifest);
    return { words: ['office.plan'] };
  },
  fmt: { words: ['office.yaml'], files: { 'office.yaml': smallOffice } },
  apply: withManifest,
  'apply history': async (stage) => {
    await applied(stage);
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
  // By its number: the last run is reversed unnamed by its maker alone, and others run these lines, too.
  undo: async (stage) => {
    await applied(stage);
    return { words: ['1'] };
  },
  'state show': async (stage) => {
    await applied(stage);
    return { words: [stage.place.sandbox.seed.accountId] };
  },
  'state forget': async (stage) => {
    await applied(stage);
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
  'rollout start': (stage) => fleetOf(stage),
  'rollout resume': async (stage) => {
    await stoppedRollout(stage);
    return { words: ['1'] };
  },
  'rollout undo': async (stage) => {
    await rolledOut(stage);
    return { words: ['1'] };
  },
  'rollout show': async (stage) => {
    await rolledOut(stage);
    return { words: ['1'] };
  },
  'rollout cancel': async (stage) => {
    await rolledOut(stage);
    return { words: ['1'] };
  },
  'log show': async (stage) => {
    await applied(stage);
    return { words: ['1'] };
  },
  find: async (stage) => {
    await callflow(stage);
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

const textsOf =
  (data: Json | undefined) =>
  (field: string): string =>
    isObject(data) ? String(data[field]) : '';

const takesFile = ({ options }: Command): boolean =>
  Object.values(options).some(({ flag }) => flag === 'file');

/** Records that every service takes, where the example has what only some offer. */
const offeredByAll: Partial<Readonly<Record<ResourceName, JsonObject>>> = {
  numbers: { porting: { comments: ['Moved'] } },
};

/** The line of a command that stands for one operation: its records as arguments, its body as a file. */
async function draftOf(command: Command, { inputOf }: Stage): Promise<Draft> {
  const [id = ''] = command.operations ?? [];
  const operation = operations.find((each) => each.id === id);
  const row = operationRows.get(id);
  if (!operation || !row) return {};
  const { path = {}, data } = await inputOf(id);
  const example = offeredByAll[operation.resource] ?? bodyExample(operation);
  // The least that works is often nothing, which telctl has no reason to send.
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

/** True for a command that may ask something that `--yes` answers. */
const asks = ({ effect }: Command): boolean => effect !== 'read' && effect !== 'local';

/** True for a command about things of an account. */
const isInAccount = ({ operations: [id] = [] }: Command): boolean =>
  operations.some((each) => each.id === id && each.path.includes('{account_id}/'));

/** Signs the super administrator in, under a profile that is in use from then on. */
export async function signInSuper({ telctl, url, seed }: World): Promise<void> {
  const login = ['login', '--profile', 'super', '--base-url', url, '--account-name', 'platform'];
  const run = await telctl([...login, '--username', seed.superUsername, '--password-stdin'], {
    stdin: seed.superPassword,
  });
  if (run.code !== 0) throw new Error(run.stderr);
}

/** A profile of the super administrator, in the world from then on; the one that was signed in stays in use. */
export async function asSuper(world: World): Promise<readonly string[]> {
  await signedInOnce(world, 'beside super', async () => {
    await signInSuper(world);
    await world.telctl(`profiles use ${world.profile}`);
  });
  return ['--profile', 'super'];
}

/**
 * The lines of a command that really work: each record that they name is made in the world, each file is given, and a
 * run with what answers their question ends with `code`. A command that does several things has a line for each. With
 * `accountId` the records are made in that account; what leads a line there (`--account`) is left to the caller. Those
 * of a running sandbox (`sandbox …`) get their words alone.
 */
export async function linesFor(
  command: Command,
  world: World,
  { accountId = world.seed.accountId }: { readonly accountId?: string } = {},
): Promise<readonly CommandLine[]> {
  const isOwn = accountId === world.seed.accountId;
  const place = placeIn(isOwn ? world.sandbox : seenFrom(world.sandbox, accountId));
  const inputOf: Stage['inputOf'] = async (id) => (await operationRows.get(id)?.minimal?.(place)) ?? {};
  const stage: Stage = {
    world,
    place,
    inputOf,
    idFor: async (id) => Object.values((await inputOf(id)).path ?? {})[0] ?? '',
  };
  const known = special[command.path.join(' ')];
  const drafts =
    typeof known === 'function' ? await known(stage) : (known ?? (await draftOf(command, stage)));
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
    // The super administrator's own account is another one.
    const elsewhere = isOwn && isInAccount(command) && !everywhere ? ['--account', accountId] : [];
    lines.push({
      command,
      argv: [...command.path, ...words, ...(as ? [...(await asSuper(world)), ...elsewhere] : [])],
      run: { ...run, ...(stdin === undefined ? {} : { stdin }), ...(files ? { files } : {}) },
      changes: changes ?? asks(command),
      destroys: isDestructive,
      answered: answered ?? (asks(command) || isDestructive ? ['--yes'] : []),
      typed,
      code,
    });
  }
  return lines;
}
