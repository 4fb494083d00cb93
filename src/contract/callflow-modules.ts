import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { hangupCauses } from './modules/shapes.ts';
import type { ResourceName } from './types.ts';

/** A key of a step's `data` that contains the id of another record. */
export interface ModuleReference {
  /** Path below `data`. `*` is any item of a list. `children` is each branch key that is an id. */
  readonly path: string;
  /** `undefined` if the contract does not describe the resource (media). */
  readonly to: ResourceName | undefined;
  readonly or?: ResourceName;
  /** Noun for messages, such as `user`. */
  readonly word: string;
  /** Restricts the reference to objects whose `key` has this value: `endpoint_type` is `user`. */
  readonly where?: { readonly key: string; readonly is: string };
}

export interface ModuleBranches {
  /** Fixed keys, including `_` (otherwise). */
  readonly words: readonly string[];
  /** Keys that depend on data: digits, ids of rules, values. If it is `undefined`, only `words` are allowed. */
  readonly others?: { readonly pattern: string; readonly what: string; readonly near?: readonly string[] };
}

/**
 * Effect of a step without a `_` branch. `rings`: the call was not answered, and the caller hears silence. `chooses`:
 * no branch matched. `prepares`: the step only prepared the next one. `ends`: the call ends, or the step was its
 * purpose.
 */
export type ModuleEnd = 'rings' | 'chooses' | 'prepares' | 'ends';

/** A module of compatible services (Conventions, Callflow modules). */
export interface CallflowModule {
  readonly name: string;
  readonly required: readonly string[];
  /** Makes the required keys optional if `key` has this value. */
  readonly requiredUnless?: { readonly key: string; readonly is: string };
  readonly refers: readonly ModuleReference[];
  readonly branches: ModuleBranches;
  readonly end: ModuleEnd;
  /** Seconds if `timeout` is not set. */
  readonly ringsSeconds?: number;
  /** Numbers lead to the record with the step's `id`, because it answers calls. */
  readonly answers?: true;
}

type Facts = Partial<Omit<CallflowModule, 'name'>>;

const none: ModuleBranches = { words: [] };
const next: ModuleBranches = { words: ['_'] };

const createReference = (
  path: string,
  word: string,
  to: ResourceName | undefined,
  where?: ModuleReference['where'],
): ModuleReference => ({ path, word, to, ...(where ? { where } : {}) });

const user = (path: string) => createReference(path, 'user', 'users');
const group = (path: string) => createReference(path, 'group', 'groups');
const device = (path: string) => createReference(path, 'device', 'devices');
const media = (path: string) => createReference(path, 'medium', 'media');

const endpoints = [
  createReference('endpoints.*.id', 'user', 'users', { key: 'endpoint_type', is: 'user' }),
  createReference('endpoints.*.id', 'group', 'groups', { key: 'endpoint_type', is: 'group' }),
  createReference('endpoints.*.id', 'device', 'devices', { key: 'endpoint_type', is: 'device' }),
];
const targets = [user('user_id'), group('group_id'), device('device_id')];
const approved = [user('approved_user_id'), group('approved_group_id'), device('approved_device_id')];
const conferenceRefers = [
  createReference('id', 'conference', 'conferences'),
  media('welcome_prompt.media_id'),
];
/** Unanswered calls continue at the branch of the hangup cause or its SIP code. */
const byCause: ModuleBranches = {
  words: ['_'],
  others: {
    pattern: `^(?:sip:[1-6]\\d\\d|${hangupCauses.join('|')})$`,
    what: 'a hang-up cause such as USER_BUSY, or sip:486',
    near: hangupCauses,
  },
};
const rings = { branches: byCause, end: 'rings', ringsSeconds: 20 } as const;
const anyValue = (what: string) => ({ pattern: '^.+$', what });

const anyBranch: ModuleBranches = { words: ['_'], others: anyValue('a key of the module') };
const unknown = { branches: anyBranch };

const described: Readonly<Record<string, Facts>> = {
  user: { required: ['id'], refers: [user('id')], ...rings, answers: true },
  device: { required: ['id'], refers: [device('id')], ...rings, answers: true },
  group: { required: ['id'], refers: [group('id')], ...rings, answers: true },
  ring_group: { required: ['endpoints'], refers: endpoints, ...rings },
  page_group: { required: ['endpoints'], refers: endpoints, end: 'ends' },
  voicemail: {
    required: ['id'],
    requiredUnless: { key: 'action', is: 'check' },
    refers: [createReference('id', 'vmbox', 'vmboxes')],
    answers: true,
  },
  menu: {
    required: ['id'],
    refers: [createReference('id', 'menu', 'menus')],
    branches: {
      words: ['timeout', 'max_retries', '_'],
      others: { pattern: '^[0-9*#+]+$', what: 'dialed digits' },
    },
    end: 'chooses',
    answers: true,
  },
  conference: { refers: conferenceRefers, branches: none, answers: true },
  conference_feature: { ...unknown, refers: conferenceRefers },
  directory: { required: ['id'], refers: [createReference('id', 'directory', 'directories')], answers: true },
  callflow: { required: ['id'], refers: [createReference('id', 'callflow', 'callflows')], answers: true },
  resources: { branches: byCause },
  offnet: { branches: byCause },
  play: { required: ['id'], refers: [media('id')] },
  tts: { required: ['text'] },
  temporal_route: {
    refers: [
      { ...createReference('rules.*', 'temporal rule', 'temporal_rules'), or: 'temporal_rules_sets' },
      { ...createReference('children', 'temporal rule', 'temporal_rules'), or: 'temporal_rules_sets' },
      createReference('rule_set', 'temporal rule set', 'temporal_rules_sets'),
    ],
    branches: { words: ['rule_set', '_'], others: anyValue('the id of a temporal rule') },
    end: 'chooses',
  },
  receive_fax: { refers: [user('owner_id')] },
  faxbox: {
    refers: [createReference('id', 'faxbox', 'faxboxes'), createReference('faxbox_id', 'faxbox', 'faxboxes')],
    answers: true,
  },
  park: {
    branches: {
      words: ['MAX_SLOT_EXCEEDED', '_'],
      others: { pattern: '^[0-9*#]+$', what: 'the number of a slot' },
    },
  },
  record_call: { end: 'prepares' },
  webhook: { required: ['uri'], end: 'prepares' },
  language: { required: ['language'], end: 'prepares' },
  set_variable: { required: ['variable'], end: 'prepares' },
  set_variables: { required: ['custom_application_vars'], end: 'prepares' },
  set_cid: { end: 'prepares' },
  prepend_cid: { end: 'prepares' },
  sleep: { end: 'prepares' },
  response: { refers: [media('media')], branches: none },
  pivot: { required: ['voice_url'] },
  group_pickup: { refers: [...targets, ...approved] },
  intercept: { refers: [...targets, ...approved] },
  group_pickup_feature: { ...unknown, refers: [...targets, ...approved] },
  intercept_feature: { ...unknown, refers: approved },
  eavesdrop_feature: { ...unknown, refers: [group('group_id'), ...approved] },
  ring_group_toggle: { ...unknown, refers: [createReference('callflow_id', 'callflow', 'callflows')] },
  eavesdrop: { refers: [user('user_id'), device('device_id'), ...approved] },
  call_forward: {},
  call_waiting: {},
  hotdesk: { refers: [user('id')], branches: byCause },
  do_not_disturb: {},
  privacy: {},
  cidlistmatch: {
    required: ['id'],
    refers: [createReference('id', 'list of callers', 'lists')],
    branches: { words: ['match', 'nomatch', '_'] },
    end: 'chooses',
  },
  check_cid: {
    refers: [user('user_id')],
    branches: { words: ['match', 'nomatch', '_'], others: anyValue('a caller id, in absolute mode') },
    end: 'chooses',
  },
  lookupcidname: {
    required: ['lists'],
    refers: [createReference('lists.*', 'list of callers', 'lists')],
    end: 'prepares',
  },
  dynamic_cid: {
    refers: [createReference('id', 'list of callers', 'lists'), media('media_id')],
    end: 'prepares',
  },
  missed_call_alert: {
    required: ['recipients'],
    refers: [createReference('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  notification: {
    required: ['recipients'],
    refers: [createReference('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  transfer: { required: ['target'], branches: none },
  disa: {},
  collect_dtmf: {
    branches: { words: ['_'], others: { pattern: '^[0-9*#]+$', what: 'dialed digits' } },
    end: 'prepares',
  },
  branch_variable: {
    required: ['variable'],
    branches: { words: ['_'], others: anyValue('a value of the variable') },
    end: 'chooses',
  },
  branch_bnumber: { branches: { words: ['_'], others: anyValue('a number') }, end: 'chooses' },

  hangup: { branches: none },
  acdc_member: { required: ['id'], refers: [createReference('id', 'queue', 'queues')], answers: true },
  acdc_agent: {},
  acdc_queue: { refers: [createReference('id', 'queue', 'queues')] },
  acdc_wait_time: {
    refers: [createReference('id', 'queue', 'queues')],
    branches: { words: ['_'], others: { pattern: '^[0-9]+$', what: 'seconds' } },
    end: 'chooses',
  },
  fax_detect: { branches: { words: ['ON_FAX', 'ON_VOICE', '_'] } },
};

const namedOnly = {
  prepares:
    'after_bridge answer edr flush_dtmf manual_presence nomorobo noop send_dtmf set set_alert_info skel',
  ends: 'audio_macro camping_feature dead_air function intercom move record_caller route_to_cid wait_for_hangup',
};

const moduleFrom = (name: string, facts: Facts): readonly [string, CallflowModule] => [
  name,
  { name, required: [], refers: [], branches: next, end: 'ends', ...facts },
];

export const callflowModules: ReadonlyMap<string, CallflowModule> = new Map([
  ...Object.entries(described).map(([name, facts]) => moduleFrom(name, facts)),
  ...namedOnly.prepares.split(' ').map((name) => moduleFrom(name, { ...unknown, end: 'prepares' })),
  ...namedOnly.ends.split(' ').map((name) => moduleFrom(name, unknown)),
]);

/** Modules that answer a call with one record of a resource, the most common first. */
export const answering: ReadonlyMap<ResourceName, CallflowModule> = new Map(
  [...callflowModules.values()].flatMap((module) => {
    const to = module.answers ? module.refers.find(({ path }) => path === 'id')?.to : undefined;
    return to === undefined ? [] : [[to, module] as const];
  }),
);

export const findModule = (step: JsonObject): CallflowModule | undefined =>
  typeof step.module === 'string' ? callflowModules.get(step.module) : undefined;

/** Returns references with their places: `['data', 'endpoints', '0', 'id']`, `['children', id]` for a branch's key. */
export function listReferences(step: JsonObject) {
  const { data, children } = step;
  const module = findModule(step);
  return (module?.refers ?? []).flatMap((reference) => {
    if (reference.path === 'children')
      return (isObject(children) ? Object.keys(children) : [])
        .filter((key) => !module?.branches.words.includes(key))
        .map((id) => ({ reference, keys: ['children', id], id }));
    return [...findTexts(data, reference.path.split('.'), ['data'], undefined)].flatMap(
      ({ keys, text, beside }) => {
        const { where } = reference;
        const meant = where === undefined || (isObject(beside) && beside[where.key] === where.is);
        return meant && namesRecord(reference.to, text) ? [{ reference, keys, id: text }] : [];
      },
    );
  });
}

/** Returns false for an empty text and for external addresses, such as those of streams. */
export const namesRecord = (to: ResourceName | undefined, text: string): boolean =>
  text !== '' && !(to !== undefined && resourceByName(to).elsewhere?.test(text));

export const kindsNamed = ({ to, or }: Pick<ModuleReference, 'to' | 'or'>): readonly ResourceName[] =>
  [to, or].flatMap((each) => each ?? []);

interface Found {
  readonly keys: readonly string[];
  readonly text: string;
  /** The object that contains the reference. */
  readonly beside: Json | undefined;
}

function* findTexts(
  here: Json | undefined,
  [key, ...rest]: readonly string[],
  keys: readonly string[],
  beside: Json | undefined,
): Generator<Found> {
  if (key === undefined) {
    if (typeof here === 'string') yield { keys, text: here, beside };
    // A recipient is one id or a list of ids.
    else if (Array.isArray(here))
      for (const [index, item] of here.entries())
        if (typeof item === 'string') yield { keys: [...keys, String(index)], text: item, beside };
  } else if (key === '*') {
    if (!Array.isArray(here)) return;
    for (const [index, item] of here.entries()) yield* findTexts(item, rest, [...keys, String(index)], here);
  } else if (isObject(here) && Object.hasOwn(here, key))
    yield* findTexts(here[key], rest, [...keys, key], here);
}
