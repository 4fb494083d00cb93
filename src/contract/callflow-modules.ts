import type { ResourceName } from './types.ts';

/** A key of a step's `data` that names something else by its id. */
export interface ModuleReference {
  /** Path below `data`; `*` stands for any item of a list. */
  readonly path: string;
  /** Resource of the contract that it names; `undefined` for what the contract does not describe (devices, media). */
  readonly to: ResourceName | undefined;
  /** Kind of thing that it names, as a word: `user`, `device`. */
  readonly word: string;
  /** It names that only where this neighbour says so: `endpoint_type` is `user`. */
  readonly where?: { readonly key: string; readonly is: string };
}

/** Keys that the `children` of a step may have. */
export interface ModuleBranches {
  /** Keys that are words of their own, `_` (otherwise) among them. */
  readonly words: readonly string[];
  /** Keys that depend on data: digits, ids of rules, values. `undefined`: only the words. */
  readonly others?: { readonly pattern: string; readonly what: string };
}

/**
 * The fate of a call when a step is done and has no `_` branch: `rings` nobody answered, and the caller hears
 * silence; `chooses` none of its branches fitted; `prepares` it only set something up for what should follow; `ends`
 * the call, or the step is all that there is to do.
 */
export type ModuleEnd = 'rings' | 'chooses' | 'prepares' | 'ends';

/** A module of callflows, as compatible services know it (Conventions, Callflow modules). */
export interface CallflowModule {
  readonly name: string;
  /** Keys without which the step does nothing. */
  readonly required: readonly string[];
  /** It needs none of them where this key has this value. */
  readonly requiredUnless?: { readonly key: string; readonly is: string };
  readonly refers: readonly ModuleReference[];
  readonly branches: ModuleBranches;
  readonly end: ModuleEnd;
  /** Seconds that it rings where `timeout` does not say. */
  readonly ringsSeconds?: number;
}

type Facts = Partial<Omit<CallflowModule, 'name'>>;

const none: ModuleBranches = { words: [] };
const next: ModuleBranches = { words: ['_'] };

const refers = (
  path: string,
  word: string,
  to: ResourceName | undefined,
  where?: ModuleReference['where'],
): ModuleReference => ({ path, word, to, ...(where ? { where } : {}) });

const user = (path: string) => refers(path, 'user', 'users');
const group = (path: string) => refers(path, 'group', 'groups');
const device = (path: string) => refers(path, 'device', undefined);
const media = (path: string) => refers(path, 'media', undefined);

const endpoints = [
  refers('endpoints.*.id', 'user', 'users', { key: 'endpoint_type', is: 'user' }),
  refers('endpoints.*.id', 'group', 'groups', { key: 'endpoint_type', is: 'group' }),
  refers('endpoints.*.id', 'device', undefined, { key: 'endpoint_type', is: 'device' }),
];
const targets = [user('user_id'), group('group_id'), device('device_id')];
const approved = [user('approved_user_id'), group('approved_group_id'), device('approved_device_id')];
const causes = { pattern: '^[A-Za-z0-9_]+$', what: 'a hang-up cause such as USER_BUSY' };
const anyValue = (what: string) => ({ pattern: '^.+$', what });

const described: Readonly<Record<string, Facts>> = {
  user: { required: ['id'], refers: [user('id')], end: 'rings', ringsSeconds: 20 },
  device: { required: ['id'], refers: [device('id')], end: 'rings' },
  group: { required: ['id'], refers: [group('id')], end: 'rings', ringsSeconds: 20 },
  ring_group: { required: ['endpoints'], refers: endpoints, end: 'rings', ringsSeconds: 20 },
  page_group: { required: ['endpoints'], refers: endpoints, end: 'ends' },
  voicemail: {
    required: ['id'],
    requiredUnless: { key: 'action', is: 'check' },
    refers: [refers('id', 'vmbox', 'vmboxes')],
  },
  menu: {
    required: ['id'],
    refers: [refers('id', 'menu', 'menus')],
    branches: {
      words: ['timeout', 'max_retries', '_'],
      others: { pattern: '^[0-9*#+]+$', what: 'digits that are dialled' },
    },
    end: 'chooses',
  },
  conference: {
    refers: [refers('id', 'conference', 'conferences'), media('welcome_prompt.media_id')],
    branches: none,
  },
  directory: { required: ['id'], refers: [refers('id', 'directory', 'directories')] },
  callflow: { required: ['id'], refers: [refers('id', 'callflow', 'callflows')], branches: none },
  resources: { branches: { words: ['_'], others: causes } },
  offnet: { branches: { words: ['_'], others: causes } },
  play: { required: ['id'], refers: [media('id')] },
  tts: { required: ['text'] },
  temporal_route: {
    refers: [
      refers('rules.*', 'temporal rule', undefined),
      refers('rule_set', 'set of temporal rules', undefined),
    ],
    branches: { words: ['_'], others: anyValue('the id of a temporal rule') },
    end: 'chooses',
  },
  receive_fax: { refers: [user('owner_id')] },
  faxbox: { refers: [refers('id', 'fax box', undefined)] },
  park: { branches: none },
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
  eavesdrop: { refers: [user('user_id'), device('device_id'), ...approved] },
  call_forward: {},
  call_waiting: {},
  hotdesk: { refers: [user('id')] },
  do_not_disturb: {},
  privacy: {},
  cidlistmatch: {
    required: ['id'],
    refers: [refers('id', 'list of callers', undefined)],
    branches: { words: ['match', 'nomatch'] },
    end: 'chooses',
  },
  check_cid: {
    refers: [user('user_id')],
    branches: { words: ['match', 'nomatch'], others: anyValue('a caller id, in absolute mode') },
    end: 'chooses',
  },
  dynamic_cid: {
    refers: [refers('id', 'list of caller ids', undefined), media('media_id')],
    end: 'prepares',
  },
  missed_call_alert: {
    required: ['recipients'],
    refers: [refers('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  notification: {
    required: ['recipients'],
    refers: [refers('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  transfer: { required: ['target'] },
  disa: {},
  collect_dtmf: {
    branches: { words: ['_'], others: { pattern: '^[0-9*#]+$', what: 'digits that are dialled' } },
    end: 'prepares',
  },
  branch_variable: {
    required: ['variable'],
    branches: { words: ['_'], others: anyValue('a value of the variable') },
    end: 'chooses',
  },
  branch_bnumber: { branches: { words: ['_'], others: anyValue('a number') }, end: 'chooses' },

  hangup: { branches: none },
  acdc_member: { required: ['id'], refers: [refers('id', 'queue', undefined)] },
  acdc_agent: {},
  acdc_queue: { refers: [refers('id', 'queue', undefined)] },
  fax_detect: { branches: { words: ['ON_FAX', 'ON_VOICE'] } },
};

/** Modules of which only the name is written down. */
const namedOnly = {
  prepares:
    'after_bridge answer edr flush_dtmf lookupcidname manual_presence nomorobo noop send_dtmf set set_alert_info skel',
  ends: 'acdc_wait_time audio_macro camping_feature conference_feature dead_air eavesdrop_feature function group_pickup_feature intercept_feature intercom move record_caller ring_group_toggle route_to_cid wait_for_hangup',
};

const anyBranch: ModuleBranches = { words: ['_'], others: anyValue('a key of the module') };

function moduleOf(name: string, facts: Facts): CallflowModule {
  return {
    name,
    required: [],
    refers: [],
    branches: next,
    end: 'ends',
    ...facts,
  };
}

const unknown = { branches: anyBranch };

/** Every module that a callflow can be made of, by name. */
export const callflowModules: ReadonlyMap<string, CallflowModule> = new Map([
  ...Object.entries(described).map(([name, facts]) => [name, moduleOf(name, facts)] as const),
  ...namedOnly.prepares
    .split(' ')
    .map((name) => [name, moduleOf(name, { ...unknown, end: 'prepares' })] as const),
  ...namedOnly.ends.split(' ').map((name) => [name, moduleOf(name, unknown)] as const),
]);
