import {
  anything,
  flag,
  freeObject,
  integer,
  list,
  mapOf,
  object,
  openObject,
  recursive,
  text,
  texts,
} from './fields.ts';
import type { ModuleKind } from './module-data.ts';
import { numberClasses } from './number-classes.ts';

const privacy = { enum: ['full', 'name', 'number', 'none'] } as const;

const recording = object(
  {
    enabled: flag('Record calls'),
    format: text('File format of the recording', { convention: { enum: ['mp3', 'wav'] } }),
    record_min_sec: integer('Keep recordings of at least this many seconds'),
    record_on_answer: flag('Start when the call is answered'),
    record_on_bridge: flag('Start when two legs are bridged'),
    record_sample_rate: integer('Sample rate in hertz'),
    time_limit: integer('Stop after this many seconds', { convention: { minimum: 5, maximum: 10_800 } }),
    url: text('URL that receives the recording', { secretBearing: true, convention: { format: 'uri' } }),
  },
  'Recording settings',
  { exact: true, convention: { additionalProperties: false } },
);

/** Recording settings for any call, for calls to and from outside, and for calls inside. */
const recordingGroup = object(
  { any: recording, offnet: recording, onnet: recording },
  'Recording settings, by origin of the call',
  { convention: { additionalProperties: false } },
);

export const userCallRecording = object(
  { any: recordingGroup, inbound: recordingGroup, outbound: recordingGroup },
  'Recording settings, by direction of the call',
  { convention: { additionalProperties: false } },
);

export const accountCallRecording = object(
  { account: userCallRecording, endpoint: userCallRecording },
  'Recording settings of the account and of its endpoints',
  { convention: { additionalProperties: false } },
);

export interface FlowNode {
  readonly module?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly children?: Readonly<Record<string, FlowNode>>;
}

/** A module, its data, and the following nodes by key. */
const stepOf = (name: string, modules: ModuleKind) =>
  recursive<FlowNode>(name, (self) =>
    object(
      {
        module: text('Module to run: menu, user, voicemail, …', {
          convention: { minLength: 1, maxLength: 64 },
        }),
        data: openObject(
          {
            pin: text('PIN that a caller must dial (module disa)', { source: 'convention', secret: true }),
            custom_data: freeObject('Properties sent along (module webhook)', {
              source: 'convention',
              secret: true,
            }),
          },
          'Parameters of the module',
          { exact: true },
        ),
        children: mapOf(self, 'Next steps, by key: dialed digits, or _ for all other cases'),
      },
      'A step of a flow',
      { convention: { required: ['module'], modules } },
    ),
  );

export const flowNode = stepOf('flow_node', 'callflow');

const metaflowNode = stepOf('metaflow_node', 'metaflow');

export const metaflowFields = {
  binding_digit: text('Key that starts a metaflow', {
    convention: { enum: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'], default: '*' },
  }),
  digit_timeout: integer('Wait for the next digit, in milliseconds', {
    shownAs: 'milliseconds',
    convention: { minimum: 0 },
  }),
  listen_on: text('Leg that can dial', { convention: { enum: ['both', 'self', 'peer'] } }),
  numbers: mapOf(metaflowNode, 'Flows by dialed number', { convention: { keyPattern: '^[0-9]+$' } }),
  patterns: mapOf(metaflowNode, 'Flows by regular expression', { convention: { keyPattern: '.+' } }),
};

export const metaflow = object(metaflowFields, 'What callers can dial during a call');

/** Settings for calling users back about a message. */
export const notify = object(
  {
    callback: object(
      {
        attempts: integer('Number of attempts'),
        disabled: flag('Do not call back'),
        interval_s: integer('Seconds between attempts'),
        number: text('Number to call', { outward: true, dialled: true }),
        schedule: list(integer('Seconds'), 'Seconds to wait before each attempt'),
        timeout_s: integer('Seconds to ring'),
      },
      'Call back about a new message',
    ),
  },
  'Notifications about a new message',
);

const callerName = text('Name to show', { convention: { maxLength: 35 } });
const callerNumber = text('Number to show', { dialled: true, convention: { maxLength: 35 } });
const identity = (doc: string) => object({ name: callerName, number: callerNumber }, doc);

export const callerId = object(
  {
    asserted: object(
      { name: callerName, number: callerNumber, realm: text('Realm of the asserted identity') },
      'Asserted identity',
    ),
    emergency: identity('Shown on emergency calls'),
    external: identity('Shown outside the account'),
    internal: identity('Shown inside the account'),
  },
  'Caller id by destination',
);

export const callerIdOptions = object(
  { outbound_privacy: text('Caller id details to hide on outbound calls', { convention: privacy }) },
  'Caller id options',
  { exact: true },
);

export const accountCallerIdOptions = object(
  {
    outbound_privacy: text('Caller id details to hide on outbound calls', { convention: privacy }),
    show_rate: flag('Show the rate of the call'),
  },
  'Caller id options',
  { exact: true },
);

const off = { convention: { default: false } } as const;
const on = { convention: { default: true } } as const;

export const callForward = object(
  {
    direct_calls_only: flag('Only forward direct calls, not those to a group', off),
    enabled: flag('Forward calls', { ...off, outward: true }),
    failover: flag('Only forward if no phone is reachable', off),
    ignore_early_media: flag('Ignore media before the answer', on),
    keep_caller_id: flag("Show the caller's number", on),
    number: text('Number to forward to', { outward: true, dialled: true, convention: { maxLength: 35 } }),
    require_keypress: flag('Ask the callee to press a key before connecting', on),
    substitute: flag('Ring the number instead of the phones', on),
  },
  'Call forwarding',
);

/** Rewrites dialed numbers. `system` contains names of shared plans, and other keys are expressions. */
export const dialPlan = openObject(
  { system: texts('Shared dial plans to apply') },
  'Rules that rewrite dialled numbers; keys other than "system" are regular expressions',
  {},
  object(
    {
      description: text('Purpose of the rule'),
      prefix: text('Digits added before the number'),
      suffix: text('Digits added after the number'),
    },
    'A dial plan rule',
  ),
);

export const formatters = mapOf(
  list(
    object(
      {
        direction: text('Direction of the calls', { convention: { enum: ['inbound', 'outbound', 'both'] } }),
        match_invite_format: flag('Use the invite format of the endpoint'),
        prefix: text('Text added before the match'),
        regex: text('Regular expression for the part to keep'),
        strip: flag('Remove the field'),
        suffix: text('Text added after the match'),
        value: text('Replacement value'),
      },
      'A formatter',
    ),
    'Formatters of one field',
  ),
  'Formatters by field',
  { exact: true, convention: { keyPattern: '^[a-zA-Z0-9_]+$' } },
);

const audioCodecs =
  'OPUS CELT@32000h G7221@32000h G7221@16000h G722 speex@32000h speex@16000h PCMU PCMA G729 GSM CELT@48000h CELT@64000h G722_16 G722_32 CELT_48 CELT_64 Speex speex'.split(
    ' ',
  );

const oneOf = (words: readonly string[]) => anything({ type: 'string', enum: words });

const codecs = (known: readonly string[], standard?: readonly string[]) =>
  list(oneOf(known), 'Codecs, best first', {
    source: 'convention',
    convention: { uniqueItems: true, ...(standard ? { default: standard } : {}) },
  });

export const mediaField = object(
  {
    audio: openObject({ codecs: codecs(audioCodecs) }, 'Audio settings'),
    bypass_media: flag('Let media flow directly between endpoints', { convention: { alsoType: ['string'] } }),
    encryption: openObject(
      {
        enforce_security: flag('Refuse calls that are not encrypted', { source: 'convention', ...off }),
        methods: list(oneOf(['zrtp', 'srtp']), 'Encryption methods', {
          source: 'convention',
          convention: { default: [] },
        }),
      },
      'Encryption settings',
      { convention: { default: {} } },
    ),
    fax_option: flag('Support T.38 for faxes'),
    ignore_early_media: flag('Ignore media before the answer'),
    progress_timeout: integer('Seconds to wait for progress'),
    video: openObject({ codecs: codecs(['H261', 'H263', 'H264', 'VP8'], []) }, 'Video settings', {
      convention: { default: {} },
    }),
  },
  'Media settings',
  { exact: true },
);

export const toggle = (doc: string) => object({ enabled: flag('On or off') }, doc);

export const flagWords = texts('Free labels to filter by');

/** The maximum length of a media id differs between records. */
export const musicOnHold = (maxLength: number) =>
  openObject(
    { media_id: text('Media id', { source: 'convention', ref: 'media', convention: { maxLength } }) },
    'Music on hold',
  );

const ringtone = (doc: string) => text(doc, { source: 'convention', convention: { maxLength: 256 } });

export const ringtones = openObject(
  { internal: ringtone('For calls inside the account'), external: ringtone('For calls from outside') },
  'Ring tones',
  { exact: true },
);

/** By class of the dialed number, and for calls outside of the user's groups. */
export const callRestriction = mapOf(
  object(
    {
      action: text('deny refuses calls of the class, inherit uses the setting of the owner and the account', {
        source: 'convention',
        convention: { enum: ['inherit', 'deny'] },
      }),
    },
    'Restriction of a class',
    { source: 'convention' },
  ),
  'Restrictions by class of the dialed number: action inherit or deny',
  { exact: true, keyWords: [...numberClasses.map((each) => each.name), 'closed_groups'] },
);

export const name = text('Name', { option: true, convention: { minLength: 1, maxLength: 128 } });

export const ownerId = text('User who owns it', {
  option: true,
  ref: 'users',
  convention: { minLength: 32, maxLength: 32 },
});

export const id = text('Id', { source: 'convention', readOnly: true });

/** A public number in any notation (Conventions, phone numbers). */
export const routablePattern = '^(\\+?1)?\\d{10}$|^\\+[2-9]\\d{7,}$|^011\\d*$|^00\\d*$';
