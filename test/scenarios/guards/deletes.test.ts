import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { resourceByName, resources } from '../../../src/contract/catalogue.ts';
import { refersByField } from '../../../src/contract/record-references.ts';
import { commandWordsOf } from '../../../src/contract/resource.ts';
import type { ResourceName } from '../../../src/contract/types.ts';
import { kinds } from '../../../src/engine/manifest/kinds.ts';
import { officeObjects } from '../../support/manifest-arbitrary.ts';
import { openWorld, type World } from '../../support/world.ts';
import { formatManifest } from '../../support/written-manifest.ts';

/** Returns every stored record of the account by kind and id. */
async function readStored({ sandbox, seed }: World): Promise<ReadonlyMap<string, JsonObject>> {
  const names = await sandbox.store.namesInAccount(seed.accountId);
  const records = await Promise.all(names.map((name) => sandbox.store.get(name)));
  return new Map(records.flatMap((record) => (record ? [[`${record.kind} ${record.id}`, record.body]] : [])));
}

const deletable: readonly ResourceName[] = [
  'users',
  'menus',
  'groups',
  'directories',
  'callflows',
  'vmboxes',
  'conferences',
];

test('delete --yes leaves no dangling references and refuses no harmless delete', async () => {
  await fc.assert(
    fc.asyncProperty(
      officeObjects.filter((objects) => objects.length > 3),
      async (objects) => {
        const world = await openWorld();
        const files = { 'office.json': formatManifest(objects) };
        const applied = await world.telctl('apply -f office.json --yes --accept-charges', { files });
        expect(applied.code, applied.stderr).toBe(0);
        for (const name of (await readStored(world)).keys()) {
          const [kind = '', id = ''] = name.split(' ');
          if (!deletable.some((each) => each === kind)) continue;
          // The signed-in user is only deleted by name.
          if (id === world.seed.adminUserId) continue;
          const before = await readStored(world);
          const run = await world.telctl(`${kind} delete ${id} --yes`);
          const after = await readStored(world);
          const holders = [...before].filter(
            ([other, body]) => other !== name && JSON.stringify(body).includes(id),
          );
          expect(run.code, run.stderr).toBe(holders.length > 0 ? 9 : 0);
          expect(after.has(name)).toBe(holders.length > 0);
          expect(after.size).toBe(before.size - (holders.length > 0 ? 0 : 1));
        }
      },
    ),
    { numRuns: 12, seed: 10 },
  );
});

/** Creates a record of each kind that can be referenced. Returns the ids. */
async function createOffice(world: World): Promise<Readonly<Record<string, string>>> {
  const { service, addUser } = world;
  const createdId = async (made: Promise<JsonObject>): Promise<string> => String((await made).id);
  return {
    users: await createdId(addUser({ username: 'dora', first_name: 'Dora', last_name: 'Dean' })),
    menus: await createdId(service('PUT', 'menus', { name: 'Main' })),
    devices: await createdId(service('PUT', 'devices', { name: 'Phone' })),
    groups: await createdId(service('PUT', 'groups', { name: 'Sales', endpoints: {} })),
    directories: await createdId(service('PUT', 'directories', { name: 'Staff' })),
    conferences: await createdId(service('PUT', 'conferences', { name: 'Board' })),
    vmboxes: await createdId(service('PUT', 'vmboxes', { name: 'Desk', mailbox: '2001' })),
    queues: await createdId(service('PUT', 'queues', { name: 'Support' })),
    media: await createdId(service('PUT', 'media', { name: 'Welcome', tts: { text: 'Hello' } })),
    temporal_rules: await createdId(service('PUT', 'temporal_rules', { name: 'Night', cycle: 'daily' })),
    blacklists: await createdId(service('PUT', 'blacklists', { name: 'Spam', numbers: {} })),
    callflows: await createdId(
      service('PUT', 'callflows', {
        name: 'Night',
        numbers: ['9000'],
        flow: { module: 'hangup', data: {}, children: {} },
      }),
    ),
  };
}

const step = (module: string, data: JsonObject): JsonObject => ({ module, data, children: {} });
const nestStep = (inner: JsonObject): JsonObject => ({
  ...step('tts', { text: 'Welcome' }),
  children: { 1: { ...step('sleep', { duration: 1 }), children: { _: inner } } },
});
const flowWith = (name: string, module: string, data: JsonObject) => ({
  path: 'callflows',
  body: { name, numbers: ['8000'], flow: nestStep(step(module, data)) },
});

const erin = { username: 'erin', password: 'first-sign-in', first_name: 'Erin', last_name: 'East' };
const musicOnHold = (id: string) => ({ music_on_hold: { media_id: id } });

/** Records that refer to a target, and the description of each reference in messages. */
const places: readonly {
  readonly what: string;
  readonly of: ResourceName;
  /** The kind and field of the reference. */
  readonly field: string;
  readonly by: (
    id: string,
    ids: Readonly<Record<string, string>>,
  ) => { readonly path: string; readonly body: JsonObject; readonly method?: string };
  readonly said: string;
}[] = [
  {
    what: 'a step deep in a flow',
    of: 'users',
    field: 'callflows flow',
    by: (id) => flowWith('Line', 'user', { id, timeout: 30 }),
    said: 'callflow Line: rings for 30 s, then silence',
  },
  {
    what: 'a list in a step',
    of: 'users',
    field: 'callflows flow',
    by: (id) =>
      flowWith('Ring', 'ring_group', {
        endpoints: [
          { id: 'f'.repeat(32), endpoint_type: 'device' },
          { id, endpoint_type: 'user' },
        ],
      }),
    said: 'callflow Ring: rings for 20 s, then silence',
  },
  {
    what: 'a step of a module whose data the contract does not describe',
    of: 'users',
    field: 'callflows flow',
    by: (id) => flowWith('Odd', 'skel', { who: { [id]: true } }),
    said: 'callflow Odd: skel, after 1/_',
  },
  {
    what: 'a menu step',
    of: 'menus',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'menu', { id }),
    said: 'callflow Day: menu, after 1/_',
  },
  {
    what: 'a voicemail step',
    of: 'vmboxes',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'voicemail', { id }),
    said: 'callflow Day: voicemail, after 1/_',
  },
  {
    what: 'a conference step',
    of: 'conferences',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'conference', { id }),
    said: 'callflow Day: conference, after 1/_',
  },
  {
    what: 'a directory step',
    of: 'directories',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'directory', { id }),
    said: 'callflow Day: directory, after 1/_',
  },
  {
    what: 'a group step',
    of: 'groups',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'group', { id }),
    said: 'callflow Day: rings for 20 s, then silence',
  },
  {
    what: 'a callflow step',
    of: 'callflows',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'callflow', { id }),
    said: 'callflow Day: callflow, after 1/_',
  },
  {
    what: 'the owner of a mailbox',
    of: 'users',
    field: 'vmboxes owner_id',
    by: (id) => ({ path: 'vmboxes', body: { name: 'Dora', mailbox: '2002', owner_id: id } }),
    said: 'vmbox 2002: owner',
  },
  {
    what: 'the owner of a device',
    of: 'users',
    field: 'devices owner_id',
    by: (id) => ({ path: 'devices', body: { name: 'Desk', owner_id: id } }),
    said: 'device Desk: owner',
  },
  {
    what: 'the users who are signed in on a device',
    of: 'users',
    field: 'devices hotdesk',
    by: (id) => ({ path: 'devices', body: { name: 'Lobby', hotdesk: { users: { [id]: {} } } } }),
    said: 'device Lobby: hotdesk.users',
  },
  {
    what: 'a device step',
    of: 'devices',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'device', { id }),
    said: 'callflow Day: rings for 20 s, then silence',
  },
  {
    what: 'the owner of a conference',
    of: 'users',
    field: 'conferences owner_id',
    by: (id) => ({ path: 'conferences', body: { name: 'Room', owner_id: id } }),
    said: 'conference Room: owner',
  },
  {
    what: 'the owner of a callflow',
    of: 'users',
    field: 'callflows owner_id',
    by: (id) => ({
      path: 'callflows',
      body: { name: 'Own', numbers: ['1'], owner_id: id, flow: step('hangup', {}) },
    }),
    said: 'callflow Own: owner',
  },
  {
    what: 'the group of a callflow',
    of: 'groups',
    field: 'callflows group_id',
    by: (id) => ({
      path: 'callflows',
      body: { name: 'Own', numbers: ['1'], group_id: id, flow: step('hangup', {}) },
    }),
    said: 'callflow Own: group',
  },
  {
    what: 'the members of a group',
    of: 'users',
    field: 'groups endpoints',
    by: (id) => ({ path: 'groups', body: { name: 'Help', endpoints: { [id]: { type: 'user' } } } }),
    said: 'group Help: endpoints',
  },
  {
    what: 'a group in a group',
    of: 'groups',
    field: 'groups endpoints',
    by: (id) => ({ path: 'groups', body: { name: 'Help', endpoints: { [id]: { type: 'group' } } } }),
    said: 'group Help: endpoints',
  },
  {
    what: 'the list of a directory',
    of: 'users',
    field: 'directories users',
    by: (id, ids) => ({
      path: 'directories',
      body: { name: 'All', users: [{ user_id: id, callflow_id: ids.callflows ?? '' }] },
    }),
    said: 'directory All: users',
  },
  {
    what: 'the directories of a user',
    of: 'directories',
    field: 'users directories',
    by: (id, ids) => ({
      path: 'users',
      body: {
        ...erin,
        directories: { [id]: ids.callflows ?? '' },
      },
    }),
    said: 'user erin: directories',
  },
  {
    what: 'the callflow by which a directory reaches a user',
    of: 'callflows',
    field: 'users directories',
    by: (id, ids) => ({
      path: 'users',
      body: {
        ...erin,
        directories: { [ids.directories ?? '']: id },
      },
    }),
    said: 'user erin: directories',
  },
  {
    what: 'the queues of a user',
    of: 'queues',
    field: 'users queues',
    by: (id) => ({
      path: 'users',
      body: {
        ...erin,
        queues: [id],
      },
    }),
    said: 'user erin: queues',
  },
  {
    what: 'a set of temporal rules',
    of: 'temporal_rules',
    field: 'temporal_rules_sets temporal_rules',
    by: (id) => ({ path: 'temporal_rules_sets', body: { name: 'All', temporal_rules: [id] } }),
    said: 'temporal rule set All: temporal_rules',
  },
  {
    what: 'a branch of a step',
    of: 'temporal_rules',
    field: 'callflows flow',
    by: (id) => ({
      path: 'callflows',
      body: {
        name: 'Line',
        numbers: ['8000'],
        flow: { ...step('temporal_route', {}), children: { [id]: step('hangup', {}) } },
      },
    }),
    said: 'callflow Line: temporal_route, after ',
  },
  {
    what: 'the fax boxes of a user',
    of: 'users',
    field: 'faxboxes owner_id',
    by: (id) => ({ path: 'faxboxes', body: { name: 'Fax', owner_id: id } }),
    said: 'faxbox Fax: owner',
  },
  {
    what: 'the music on hold of the account',
    of: 'media',
    field: 'account_settings music_on_hold',
    by: (id) => ({ method: 'PATCH', path: '', body: musicOnHold(id) }),
    said: 'the account settings: music_on_hold.media',
  },
  {
    what: 'the music on hold of a user',
    of: 'media',
    field: 'users music_on_hold',
    by: (id) => ({ path: 'users', body: { ...erin, ...musicOnHold(id) } }),
    said: 'user erin: music_on_hold.media',
  },
  {
    what: 'the music on hold of a device',
    of: 'media',
    field: 'devices music_on_hold',
    by: (id) => ({ path: 'devices', body: { name: 'Desk', ...musicOnHold(id) } }),
    said: 'device Desk: music_on_hold.media',
  },
  {
    what: 'the music on hold of a group',
    of: 'media',
    field: 'groups music_on_hold',
    by: (id) => ({ path: 'groups', body: { name: 'Help', endpoints: {}, ...musicOnHold(id) } }),
    said: 'group Help: music_on_hold.media',
  },
  {
    what: 'the spoken name of a user',
    of: 'media',
    field: 'users pronounced_name',
    by: (id) => ({ path: 'users', body: { ...erin, pronounced_name: { media_id: id } } }),
    said: 'user erin: pronounced_name.media',
  },
  {
    what: 'the greeting of a mailbox',
    of: 'media',
    field: 'vmboxes media',
    by: (id) => ({ path: 'vmboxes', body: { name: 'Dora', mailbox: '2002', media: { unavailable: id } } }),
    said: 'vmbox 2002: media.unavailable',
  },
  {
    what: 'the greeting of a menu',
    of: 'media',
    field: 'menus media',
    by: (id) => ({ path: 'menus', body: { name: 'Day', media: { greeting: id } } }),
    said: 'menu Day: media.greeting',
  },
  {
    what: 'a play step',
    of: 'media',
    field: 'callflows flow',
    by: (id) => flowWith('Day', 'play', { id }),
    said: 'callflow Day: play, after 1/_',
  },
  {
    what: 'the blacklists that count',
    of: 'blacklists',
    field: 'account_settings blacklists',
    by: (id) => ({ method: 'PATCH', path: '', body: { blacklists: [id] } }),
    said: 'the account settings: blacklists',
  },
  {
    what: 'the callflow before all others',
    of: 'callflows',
    field: 'account_settings preflow',
    by: (id) => ({ method: 'PATCH', path: '', body: { preflow: { always: id } } }),
    said: 'the account settings: preflow.always',
  },
  {
    what: 'what can be dialled during a call',
    of: 'callflows',
    field: 'metaflows numbers',
    by: (id) => ({ method: 'POST', path: 'metaflows', body: { numbers: { 7: step('callflow', { id }) } } }),
    said: 'the metaflows: callflow',
  },
  {
    what: 'what can be dialled during a call of a callflow',
    of: 'callflows',
    field: 'callflows metaflow',
    by: (id) => ({
      path: 'callflows',
      body: {
        name: 'Own',
        numbers: ['1'],
        flow: step('hangup', {}),
        metaflow: { patterns: { '^1': step('callflow', { id }) } },
      },
    }),
    said: 'callflow Own: callflow',
  },
];

for (const { what, of, by, said } of places)
  test(`a reference in ${what} refuses delete --yes, and --force deletes`, async () => {
    const world = await openWorld();
    const ids = await createOffice(world);
    const id = ids[of] ?? '';
    const { path, body, method = 'PUT' } = by(id, ids);
    await world.service(method, path, body);
    const before = await readStored(world);
    const noun = commandWordsOf(resourceByName(of)).join(' ');
    const run = await world.telctl(`${noun} delete ${id} --yes`);
    expect(run.code, run.stderr).toBe(9);
    expect(run.stderr).toContain(`\n  ${said}`);
    expect(run.stderr).toMatch(/ is used in \d places?\. Nothing was deleted\./);
    expect(await readStored(world)).toEqual(before);
    expect((await world.telctl(`${noun} delete ${id} --force`)).code).toBe(0);
    expect((await readStored(world)).has(`${of} ${id}`)).toBe(false);
  });

test('every reference field of the contract is one of those cases', () => {
  const tried = new Set([
    ...places.map(({ field }) => field),
    // Covered by the metaflows of the account. Patterns are covered by numbers.
    ...['account_settings metaflows', 'metaflows patterns', 'users metaflows', 'devices metaflows'],
    // These commands do not delete accounts and providers. Authors of comments are covered by owners.
    ...['services billing_id', 'apps provider', 'ports comments', 'numbers porting'],
  ]);
  const fields = kinds
    .filter(({ name }) => name !== 'accounts')
    .flatMap((kind) =>
      [...refersByField(kind)].flatMap(([field, to]) => (to.size > 0 ? [`${kind.name} ${field}`] : [])),
    );
  expect(fields.filter((field) => !tried.has(field))).toEqual([]);
});

test('at a terminal, references to the record are listed before the question', async () => {
  const world = await openWorld();
  const { users: id = '', directories = '', callflows = '' } = await createOffice(world);
  await world.service('PATCH', `users/${id}`, { directories: { [directories]: callflows } });
  await world.service('PUT', 'vmboxes', { name: 'Dora', mailbox: '2002', owner_id: id });
  await world.service('PUT', 'callflows', flowWith('Main line', 'user', { id }).body);
  const run = await world.telctl('users delete dora', {
    tty: true,
    answers: [{ to: /Delete user dora \(Dora Dean\) from acme anyway\?/, type: 'n' }],
  });
  expect(run.code).toBe(130);
  expect(run.stderr).toMatch(/user dora \(Dora Dean\) is used in 3 places:/);
  expect(run.stderr).toMatch(/directory Staff {2,}users/);
  expect(run.stderr).toMatch(/vmbox 2002 {2,}owner/);
  expect(run.stderr).toMatch(/callflow "Main line" {2,}rings for 20 s, then silence/);
  expect((await readStored(world)).has(`users ${id}`)).toBe(true);
  const yes = await world.telctl('users delete dora', {
    tty: true,
    answers: [{ to: /anyway\?/, type: 'y' }],
  });
  expect(yes.code, yes.stderr).toBe(0);
  expect((await readStored(world)).has(`users ${id}`)).toBe(false);
});

test('scripts receive the references as data', async () => {
  const world = await openWorld();
  const { users: id = '' } = await createOffice(world);
  const box = await world.service('PUT', 'vmboxes', { name: 'Dora', mailbox: '2002', owner_id: id });
  const run = await world.telctl('users delete dora --yes -o json');
  expect(JSON.parse(run.stderr).error).toMatchObject({
    kind: 'refused',
    message: 'user dora is used in 1 place. Nothing was deleted.',
    details: { used_by: [{ kind: 'vmbox', id: box.id, name: 'vmbox 2002', places: ['owner_id'] }] },
  });
  const dry = await world.telctl('users delete dora --dry-run');
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stdout).toContain('vmbox 2002: owner');
});

test('a record of a kind without references is deleted without a lookup', async () => {
  const targets = new Set(
    kinds.flatMap((kind) => [...refersByField(kind).values()].flatMap((to) => [...to])),
  );
  expect(resources.filter(({ name }) => !targets.has(name)).map(({ name }) => name)).toContain('webhooks');
  const world = await openWorld();
  await createOffice(world);
  const uri = 'https://crm.example/hook';
  const { id } = await world.service('PUT', 'webhooks', { name: 'crm', uri, hook: 'channel_create' });
  const run = await world.telctl(`webhooks delete ${id} --yes`);
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
});

test('records are not read one by one if the list shows the field', async () => {
  const world = await openWorld();
  const { users: id = '' } = await createOffice(world);
  for (const mailbox of ['3001', '3002', '3003'])
    await world.service('PUT', 'vmboxes', { name: mailbox, mailbox, owner_id: world.seed.accountId });
  const run = await world.telctl(`users delete ${id} --yes`);
  expect(run.code, run.stderr).toBe(0);
  const boxes = run.requests.filter(({ path }) => /\/vmboxes\//.test(path));
  // The list shows the owners of the three new boxes. Only the box of `office` has none, so only it is read.
  expect(boxes).toHaveLength(1);
});

test('an unavailable list is a warning, and a failed list refuses the delete', async () => {
  const world = await openWorld();
  const { users: id = '' } = await createOffice(world);
  const lacking = { status: 404, body: '{"status":"error","error":"404","message":"not_found","data":{}}' };
  const warned = await world.telctl(`users delete ${id} --yes --dry-run`, {
    faults: [{ path: /\/groups$/, fault: { kind: 'answer', ...lacking } }],
  });
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain('warning: This service cannot show groups');
  for (const status of [403, 500, 503]) {
    const answer = { kind: 'answer', status, body: '{"status":"error","message":"no","data":{}}' } as const;
    for (const path of [/\/groups$/, /\/callflows\/[0-9a-f]{32}$/, /\/metaflows$/]) {
      const run = await world.telctl(`users delete ${id} --yes`, { faults: [{ path, fault: answer }] });
      expect([run.code, status, String(path)]).toEqual([75, status, String(path)]);
      expect(run.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
      const forced = await world.telctl(`users delete ${id} --force --dry-run`, {
        faults: [{ path, fault: answer }],
      });
      expect(forced.code).toBe(0);
    }
  }
});

test('references are searched in every account of a bulk delete', async () => {
  const world = await openWorld();
  const { telctl, sandbox } = world;
  for (const name of ['north', 'south'])
    expect((await telctl(`accounts create --name ${name} --realm ${name}.example`)).code).toBe(0);
  const accounts: readonly { name: string; id: string }[] = JSON.parse(
    (await telctl('accounts list -o json')).stdout,
  );
  const token = await sandbox.adminToken();
  for (const { id, name } of accounts) {
    const user = { username: 'bob', password: 'first-sign-in', first_name: 'Bob', last_name: name };
    const made = await sandbox.call('PUT', `/v2/accounts/${id}/users`, { token, data: user });
    if (name === 'south')
      await sandbox.call('PUT', `/v2/accounts/${id}/vmboxes`, {
        token,
        data: { name: 'Bob', mailbox: '1', owner_id: Object(made.data).id },
      });
  }
  const run = await telctl('users delete bob --below --yes');
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('user bob is used in 1 place');
  expect(JSON.parse((await telctl('users list --below -o json --query [].account')).stdout)).toEqual([
    'south',
  ]);
});
