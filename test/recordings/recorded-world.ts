import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { credentialDigests } from '../../src/extensions/sandbox/ids-and-secrets.ts';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';

/** Values of the placeholders in recorded requests: `{A}`, `{name_A}`, `{tok_admin}`. */
export type Names = Map<string, string>;

/** The accounts and users of the recordings, in a KAZOO sandbox. */
export interface RecordedWorld {
  readonly sandbox: CalledSandbox;
  readonly names: Names;
  /** Returns a token by its name in the recordings. */
  tokenOf(name: string): string;
  /** Creates records that a path names and no recorded request created. */
  makeNamed(path: string): Promise<void>;
  /** Renews the token of this name by signing in again. */
  renew(name: string): Promise<void>;
}

const password = (username: string): string => `recorded-${username}`;

/** Records that existed during the recording of some groups. The file is written by people, so its shape is trusted. */
const existingRecords = JSON.parse(
  readFileSync(new URL('./existing-records.json', import.meta.url), 'utf8'),
) as readonly {
  readonly name: string;
  /** The only group with this record (default: all groups whose name begins with "differences"). */
  readonly group?: string;
  readonly method?: string;
  readonly path: string;
  readonly data: JsonObject;
}[];

/** The users to sign in, by token name, with the name of their account. */
const signIns: readonly (readonly [token: string, username: string, account: string])[] = [
  ['admin', 'recboss', 'A'],
  ['user', 'recplain', 'A'],
  ['life', 'lu', 'A'],
  ['sibling', 'sibboss', 'B'],
  ['child', 'childboss', 'C'],
];

/** The service plan of the account when charges were recorded. */
const recordedPlan = {
  limits: {
    inbound_trunks: { rate: 10, activation_charge: 1, prorate: { additions: true, removals: true } },
    outbound_trunks: { rate: 5, minimum: 2 },
    twoway_trunks: {
      rate: 20,
      discounts: { single: { rate: 2 }, cumulative: { maximum: 3, rate: 1 } },
    },
  },
  users: { user: { rate: 5 }, admin: { rate: 7 } },
  devices: { sip_device: { rate: 3 } },
};

/** Names of ids in the recordings that differ from usernames. */
const idNames = new Map([
  ['recboss', 'boss'],
  ['recplain', 'plain'],
]);

/** Users that the recorded filters match. */
const filteredUsers: readonly JsonObject[] = [
  ...[0, 1, 2, 3].map((count) => ({
    username: `filt${count}`,
    password: password('filter'),
    first_name: `Filt${count}`,
    last_name: `Zed${count}`,
    email: `filt${count}@example.com`,
    enabled: count !== 2,
    custom: { n: count, t: `v${count % 2}` },
  })),
  { first_name: 'Ann', last_name: 'Example', timezone: 'Nowhere/City' },
  { first_name: 'Ann', last_name: 'Example', password: password('named by the service') },
  {
    username: 'full.person',
    password: password('full'),
    first_name: 'Full',
    last_name: 'Person',
    email: 'full@example.com',
    feature_level: 'gold',
    presence_id: '1001',
    timezone: 'Europe/London',
    flags: ['c'],
    call_recording: {
      inbound: {
        onnet: { enabled: true, format: 'mp3', time_limit: 600, url: 'https://rec.example.com/put' },
      },
    },
  },
];

/**
 * Creates account A with an administrator and a plain user, B next to it, and C below it. Only the recordings of
 * group token-life have another user.
 */
export async function createRecordedWorld(group: string): Promise<RecordedWorld> {
  const sandbox = await calledSandbox({ like: 'kazoo', checkReplies: false, prices: {} });
  const names: Names = new Map([
    ['tag', 't1'],
    ['master', sandbox.seed.masterAccountId],
    ['long', 'x'.repeat(3000)],
  ]);
  const masterToken = await sandbox.superToken();
  names.set('tok_master', masterToken);

  const create = async (path: string, data: JsonObject, method = 'PUT'): Promise<string> => {
    const reply = await sandbox.call(method, `/v2/accounts/${path}`, { token: masterToken, data });
    if (reply.status >= 300) throw new Error(`Cannot create the recorded world: ${reply.text}`);
    return reply.at('data.id');
  };
  const createAccount = async (name: string, title: string, above: string): Promise<void> => {
    const realm = `${title.toLowerCase().replace(' ', '-')}.example.com`;
    names.set(`name_${name}`, title);
    names.set(`realm_${name}`, realm);
    names.set(name, await create(above, { name: title, realm, timezone: 'Europe/London' }));
  };
  const findId = (name: string): string => {
    const id = names.get(name);
    if (id === undefined) throw new Error(`The recorded world has no ${name}.`);
    return id;
  };

  await createAccount('A', 'Recorder t1', findId('master'));
  await createAccount('B', 'Sibling t1', findId('master'));
  await createAccount('C', 'Child t1', findId('A'));
  names.set('UPPER_A', findId('A').toUpperCase());

  const renewToken: RecordedWorld['renew'] = async (token) => {
    if (token === 'master') {
      names.set('tok_master', await sandbox.superToken());
      return;
    }
    if (token === 'key') {
      names.set('tok_key', await sandbox.keyToken(findId('api_key')));
      return;
    }
    const [, username = '', home = ''] = signIns.find(([name]) => name === token) ?? [];
    // A recorded request may have changed the password, so the current digest is read from the store.
    const id = findId(idNames.get(username) ?? username);
    const user = await sandbox.store.get({ kind: 'users', scope: findId(home), id });
    const data = { credentials: String(user?.hidden.md5), account_name: findId(`name_${home}`) };
    names.set(`tok_${token}`, (await sandbox.call('PUT', '/v2/user_auth', { data })).at('auth_token'));
  };

  for (const [token, username, home] of signIns) {
    if (token === 'life' && group !== 'token-life') continue;
    const { md5, sha } = credentialDigests(username, password(username));
    const idName = idNames.get(username) ?? username;
    names.set(`md5_${idName}`, md5);
    names.set(`MD5_${idName}`, md5.toUpperCase());
    names.set(`sha_${idName}`, sha);
    const isPlain = username === 'recplain';
    const data = {
      username,
      password: password(username),
      first_name: 'Rec',
      last_name: username,
      ...(username === 'lu' ? {} : { email: `${username}@example.com` }),
      priv_level: isPlain ? 'user' : 'admin',
    };
    names.set(idName, await create(`${findId(home)}/users`, data));
    await renewToken(token);
  }
  if (group === 'charges') {
    const sending = { token: masterToken, data: { overrides: recordedPlan } };
    await sandbox.call('POST', `/v2/accounts/${findId('A')}/services/recplan`, sending);
  }
  if (group.startsWith('differences')) {
    for (const { name, path, data, method, group: only } of existingRecords) {
      if (only !== undefined && only !== group) continue;
      const named = path.replace(/\{(\w+)\}/, (_, other: string) => findId(other));
      names.set(name, await create(`${findId('A')}/${named}`, data, method));
    }
    names.set('zero', '0'.repeat(32));
  }
  if (group === 'filters') {
    for (const user of filteredUsers) await create(`${findId('A')}/users`, user);
  }
  const { data } = await sandbox.call('GET', `/v2/accounts/${findId('A')}/api_key`, {
    token: findId('tok_admin'),
  });
  names.set('api_key', isObject(data) ? String(data.api_key) : '');
  await renewToken('key');

  const makeNamed: RecordedWorld['makeNamed'] = async (path) => {
    if (!path.includes('{c2}') || names.has('c2')) return;
    const flow = { module: 'user', data: { id: findId('plain') }, children: {} };
    names.set('c2', await create(`${findId('A')}/callflows`, { numbers: ['206'], flow }));
  };

  const toBase64 = (text: string): string => Buffer.from(text).toString('base64');
  names.set('basic', toBase64(`${findId('A')}:${findId('md5_boss')}`));
  names.set('basic_wrong', toBase64(`${findId('A')}:${'0'.repeat(32)}`));
  names.set('basic_clear', toBase64(`recboss:${password('recboss')}`));
  return { sandbox, names, tokenOf: (name) => findId(`tok_${name}`), makeNamed, renew: renewToken };
}
