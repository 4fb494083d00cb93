import { expect, test } from 'vitest';
import { operations, resources } from './catalogue.ts';
import { moduleData, moduleNames } from './module-data.ts';
import { resolveReference, type SchemaNode, takesFreeKeys } from './schema-node.ts';
import { isRefusedWord, keysKnownToServices, wordFindings } from './word-findings.ts';

/** Objects whose keys the user or another program chooses, by the end of their path, each with the reason. */
const free: Readonly<Record<string, string>> = {
  dial_plan: 'keys are regular expressions',
  formatters: 'keys are names of request fields of the switch',
  'metaflows.numbers': 'keys are dialed numbers',
  'metaflow.numbers': 'keys are dialed numbers',
  'metaflows.patterns': 'keys are regular expressions',
  'metaflow.patterns': 'keys are regular expressions',
  children: 'keys depend on the module, which lint checks',
  custom_data: 'the receiver chooses the keys',
  zones: 'names of the service',
  'users.directories': 'keys are ids of directories',
  custom_sip_headers: 'keys are names of SIP headers',
  'custom_sip_headers.in': 'keys are names of SIP headers',
  'custom_sip_headers.out': 'keys are names of SIP headers',
  'hotdesk.users': 'keys are ids of users',
  'hotdesk.users.*': 'the service writes it',
  combo_keys: 'keys are positions on the phone',
  feature_keys: 'keys are positions on the phone',
  'groups.endpoints': 'keys are ids of members',
  'blacklists.numbers': 'keys are phone numbers',
  'blacklists.numbers.*': 'notes of the user',
  controls: 'keys are keys of the phone, values names of the bridge',
  ui_flags: 'web interfaces keep their own flags',
  'ports.numbers': 'keys are phone numbers',
  'ports.numbers.*': 'notes of the user',
  'carriers.classifiers': 'keys are classes of the service',
  'carrier_templates.classifiers': 'keys are classes of the service',
  'system_carriers.classifiers': 'keys are classes of the service',
  overrides: 'keys are categories and items of service plans',
  'services.override': 'keys are categories and items of service plans',
  contract: 'notes of the user',
  metadata: 'notes of the user',
  allotments: 'keys are directions with classes of the service',
  modifiers: 'keys are fields of the event',
  'presence.subscriptions': 'the service writes it',
  'presence.subscriptions.*': 'the service writes it',
  'presence.subscriptions.*.*': 'the service writes it',
  jwt_flow: 'settings of a module of the service',
  scopes: 'keys are scopes of the provider',
  'tokens.capabilities': 'the service writes it',
  'tokens.ui_config': 'the service writes it',
  'providers.settings': 'settings of a module of the service',
  auth_modules: 'keys are modules of the service, bound by a pattern',
  restrictions: 'keys are modules of the service',
  'restrictions.*': 'keys are roles of the service',
  'restrictions.*.*': 'keys are endpoints of the service',
  rules: 'keys are paths, bound by a pattern',
  'accounts.rotate-api-key': 'the request is empty',
  'accounts.put-api-key': 'the request is empty',
  'devices.sync': 'the request is empty',
  'links.link': 'the request is empty',
  'conferences.act.data': 'parameters of an action',
  'participants.update.data': 'parameters of an action',
  'participants.update-all.data': 'parameters of an action',
  'selectors.update-rules.rules': 'keys are names of steps',
  'channels.metaflow': 'a step, which its command checks',
  'tasks.submit.records': 'keys are columns of the task',
  'park.slots': 'keys are numbers of slots',
  'callflow.set': 'keys are variables of the user',
  custom_application_vars: 'keys are variables of the user',
  'metaflow.callflow.flow': 'a step, which is checked by its module',
};

interface Place {
  readonly path: string;
  readonly node: SchemaNode;
  readonly isData: boolean;
}

/** Every object that a request may hold and that takes any key. */
function* openObjects(root: SchemaNode, from: Place, above: readonly SchemaNode[] = []): Generator<Place> {
  const { path, isData } = from;
  const node = resolveReference(root, from.node);
  if (node.readOnly === true || above.includes(node)) return;
  if (node.type === 'object' && (takesFreeKeys(node) || isData)) yield { path, node, isData };
  const others = typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
  const inner: readonly (readonly [string, SchemaNode])[] = [
    ...Object.entries(node.properties ?? {}),
    ...[...others, ...Object.values(node.patternProperties ?? {})].map((each) => ['*', each] as const),
  ];
  const next = [...above, node];
  for (const [key, each] of inner)
    yield* openObjects(root, { path: `${path}.${key}`, node: each, isData }, next);
  for (const each of [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])])
    yield* openObjects(root, { path, node: each, isData }, next);
}

function* everything(): Generator<Place> {
  for (const { name, schema } of resources)
    yield* openObjects(schema, { path: name, node: schema, isData: false });
  for (const { id, body } of operations) {
    const node = body?.kind === 'value' ? body.schema : body?.kind === 'action' ? body.data : undefined;
    if (node) yield* openObjects(node, { path: id, node, isData: false });
  }
  for (const kind of ['callflow', 'metaflow'] as const)
    for (const module of moduleNames(kind)) {
      const node = moduleData(kind, module) ?? {};
      yield* openObjects(node, { path: `${kind}.${module}`, node, isData: true });
    }
}

const endsOf = (path: string): readonly string[] =>
  path.split('.').map((_, index, keys) => keys.slice(index).join('.'));

test('every open object of the contract has known keys or a stated reason for having none', () => {
  const places = [...everything()];
  const reasons = new Set<string>();
  const unexplained = places.flatMap(({ path, node, isData }) => {
    const reason = endsOf(path).find((end) => Object.hasOwn(free, end));
    if (keysKnownToServices(node, isData) !== undefined) return [];
    if (reason === undefined) return [path];
    reasons.add(reason);
    return [];
  });
  expect(places.length).toBeGreaterThan(200);
  expect(unexplained).toEqual([]);
  expect(Object.keys(free).filter((each) => !reasons.has(each))).toEqual([]);
});

const schemaOf = (name: string): SchemaNode => resources.find((each) => each.name === name)?.schema ?? {};

test.each([
  ['users', { call_restriction: { internationl: { action: 'deny' } } }, 'international'],
  ['users', { media: { audio: { codec: ['PCMU'] } } }, 'codecs'],
  ['users', { music_on_hold: { mediaid: 'x' } }, 'media_id'],
  ['devices', { ringtones: { interal: 'x' } }, 'internal'],
  ['menus', { media: { greetng: 'x' } }, 'greeting'],
  ['callflows', { flow: { module: 'user', data: { id: 'x', timout: 5 } } }, 'timeout'],
  ['callflows', { flow: { module: 'group', data: { id: 'x', ringtones: { extern: 'x' } } } }, 'external'],
  ['metaflows', { numbers: { 1: { module: 'hold', data: { moh_alag: 'x' } } } }, 'moh_aleg'],
  ['users', { metaflows: { numbers: { 1: { module: 'move', data: { devic_id: 'x' } } } } }, 'device_id'],
] as const)('suggests the nearest known key in %s %j', (name, record, near) => {
  expect(wordFindings(schemaOf(name), record).map(({ message }) => message)).toEqual([
    expect.stringContaining(`did you mean "${near}"?`),
  ]);
});

test('accepts keys that the samples and the service use', () => {
  const record = {
    call_restriction: { international: { action: 'deny' }, closed_groups: { action: 'deny' } },
    dial_plan: { '^(\\d{7})$': { prefix: '+1312' } },
    _read_only: { x: 1 },
  };
  expect(wordFindings(schemaOf('users'), record)).toEqual([]);
  expect(isRefusedWord(schemaOf('users'), { path: 'call_restriction.did_us.action', rule: 'enum' })).toBe(
    true,
  );
  expect(isRefusedWord(schemaOf('users'), { path: 'first_name', rule: 'type' })).toBe(false);
});

test('reports an unknown top-level key without a path', () => {
  const ringtones = {
    type: 'object',
    properties: { internal: { type: 'string' } },
    additionalProperties: true,
  } as const;
  expect(wordFindings(ringtones, { internl: 'x' }).map(({ message }) => message)).toEqual([
    'The object has no key "internl" that services know; did you mean "internal"?',
  ]);
});
