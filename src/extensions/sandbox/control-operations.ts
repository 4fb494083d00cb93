import type { Json, JsonObject } from '../../base/json.ts';
import { flag, integer, list, mapOf, number, object, required, text, texts } from '../../contract/fields.ts';
import type { Schema, Static } from '../../contract/schema-node.ts';

/** An operation that controls a sandbox. It is not part of the service. */
export interface ControlOperation<I = unknown, R = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path. Parts that begin with a colon are replaced by fields of the input. */
  readonly path: `/sandbox/${string}`;
  readonly input: Schema<I>;
  readonly reply: Schema<R>;
  /** True if the control waits for running requests and blocks other requests. */
  readonly exclusive?: true;
}

type Fields = Readonly<Record<string, Schema>>;
type Row<F extends Fields> = { [K in keyof F]: Static<F[K]> } & JsonObject;

/** Returns the schema of an object with these fields. Other fields are allowed. */
const openObject = <const F extends Fields>(properties: F): Schema<Row<F>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: true,
});
const listOf = <const F extends Fields>(doc: string, fields: F) => list(openObject(fields), doc);

const operation = <const F extends Fields, const I = Record<never, never>>(
  route: `${ControlOperation['method']} /sandbox/${string}`,
  reply: F,
  input: Schema<I> = object({}, 'Nothing') as Schema<I>,
  more: Pick<ControlOperation, 'exclusive'> = {},
): ControlOperation<I, Row<F>> => {
  const [method, path] = route.split(' ') as [ControlOperation['method'], ControlOperation['path']];
  return { method, path, input, reply: openObject(reply), ...more };
};

const enumSchema = <const T extends string>(description: string, words: readonly T[]): Schema<T> => ({
  type: 'string',
  description,
  enum: words,
});
const bounds = (minimum: number, maximum: number) => ({ minimum, maximum });
const shortText = (doc: string) => text(doc, { minLength: 1, maxLength: 256 });
const day = 86_400;

const account = text('Account by id, name or realm (default: the first account)');
const dry_run = flag('Only show what would happen');
const caller = shortText(
  'Caller: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous',
);
const from_name = text('Caller ID name');
const phone = shortText('A device by id, name, MAC or SIP user name, or a user for all of their devices');
const snapshotName = text('Letters, digits, dots, dashes and underscores');

const clock = { now: text('Its time'), offset_ms: number('Offset from the clock of the machine') };
const snapshot = { name: text('Name'), bytes: number('Size'), created_at: text('Creation time') };
const place = { account_id: text('Account'), name: text('Its name') };
const cleared = { cleared: number('How many') };
const phones = { account_name: text('Account'), phones: listOf('Phones', {}) };
const fault = {
  id: text('Number of the fault'),
  match: text('Pattern of requests'),
  matched: number('Number of matching requests'),
  disturbed: number('Number of affected requests'),
};
const simulationFacts = {
  account_id: text('Account'),
  account_name: text('Its name'),
  from: text('Sender'),
  events: listOf('Events sent to webhooks', { hook: text('Hook') }),
};

/** The controls of a sandbox. Each is an operation with its response and its input. */
export const controls = {
  status: operation('GET /sandbox/status', { node: text('Name of the sandbox') }),
  overview: operation('GET /sandbox/overview', { clock: openObject(clock) }),
  seed: operation('POST /sandbox/seed', {}),
  door: operation('POST /sandbox/door', {}, object({ open: flag('Manifests may come in') }, 'The way in')),
  clock: operation('GET /sandbox/clock', clock),
  turnClock: operation(
    'POST /sandbox/clock',
    clock,
    object({ advance_ms: number('How far'), set: text('Moment in ISO 8601'), dry_run }, 'How far'),
  ),
  log: operation(
    'GET /sandbox/log',
    { entries: listOf('Requests and deliveries, oldest first', {}) },
    object({ since: integer('Only entries after this number') }, 'Which entries'),
  ),
  faults: operation('GET /sandbox/faults', { faults: listOf('Oldest first', fault) }),
  addFault: operation(
    'POST /sandbox/faults',
    fault,
    object(
      {
        match: text(
          'Method and path of requests, such as "PUT /users*" or "/v2/api_auth" (default: all requests)',
        ),
        status: integer('Refuse requests with this status', bounds(400, 599)),
        retry_after: integer('Value of Retry-After in seconds', bounds(0, 1000 * day)),
        drop: enumSchema('Cut the connection before or after the request is carried out', [
          'before',
          'after',
        ]),
        delay_ms: number("Delay by the sandbox's clock before the request", {
          shownAs: 'milliseconds',
          ...bounds(0, 1000 * day),
        }),
        body: enumSchema('Carry out the request, and cut off its response', ['garbage']),
        times: integer('Number of requests to affect (default: all)', bounds(1, 1_000_000)),
        rate: number('Share of requests to affect, from 0 to 1 (0.05 is one in twenty)', bounds(0, 1)),
        seed: integer(
          'Seed of the random choice (the same seed chooses the same requests)',
          bounds(0, 4_294_967_295),
        ),
        dry_run,
      },
      'A fault: a status, a cut connection, a broken body or only a delay',
    ),
  ),
  clearFaults: operation('DELETE /sandbox/faults', cleared),
  clearFault: operation(
    'DELETE /sandbox/faults/:id',
    cleared,
    required({ id: text('Number of the fault') }, 'A fault'),
  ),
  snapshots: operation('GET /sandbox/snapshots', { snapshots: listOf('By name', snapshot) }),
  saveSnapshot: operation(
    'POST /sandbox/snapshots',
    snapshot,
    required({ name: snapshotName, replace: flag('Replace an existing snapshot') }, 'A snapshot', ['name']),
  ),
  loadSnapshot: operation(
    'POST /sandbox/snapshots/:name/load',
    snapshot,
    required({ name: snapshotName }, 'A snapshot'),
    { exclusive: true },
  ),
  deleteSnapshot: operation(
    'DELETE /sandbox/snapshots/:name',
    { deleted: text('Its name') },
    required({ name: snapshotName }, 'A snapshot'),
  ),
  reset: operation('POST /sandbox/reset', {}, undefined, { exclusive: true }),
  findAccount: operation('GET /sandbox/accounts/find', place, required({ account }, 'An account')),
  resetAccount: operation(
    'POST /sandbox/accounts/reset',
    { ...place, erased: number('Number of its records') },
    required({ account }, 'An account'),
    { exclusive: true },
  ),
  call: operation(
    'POST /sandbox/call',
    {
      ...simulationFacts,
      to: text('Dialed number'),
      words: text('How the call ended'),
      duration_seconds: number('Length of the call'),
      billing_seconds: number('Length of its answered part'),
      path: listOf('Callflow steps of the call', { label: text('The step, in words') }),
      not_simulated: listOf('Steps that were skipped', { words: text('In words') }),
    },
    required(
      {
        account,
        from: caller,
        to: shortText('Dialed number or extension'),
        from_name,
        duration: integer(
          'Length of the call in seconds, or longer if ringing takes longer (default: 30)',
          bounds(1, day),
        ),
        answering: enumSchema('Behavior of called people', ['answer', 'no-answer', 'busy']),
        digits: texts('Digits for each prompt, or timeout'),
        people: mapOf(text('Behavior: answers after 12s'), 'Behavior of users and devices, by name'),
        hangs_up_after: number('Seconds after which the caller hangs up'),
        acts: texts('Actions during the call: after 10s transfer 2002'),
        real_time: flag('Make the call live, with events as they happen and records at its end'),
        dry_run,
      },
      'A call to simulate',
      ['from', 'to'],
    ),
  ),
  sms: operation(
    'POST /sandbox/sms',
    { ...simulationFacts, to: text('Receiver') },
    required(
      {
        account,
        from: shortText('Sender: a number, or a user or extension of the account'),
        to: shortText('Who receives'),
        body: text('Text of the message', { minLength: 1, maxLength: 1600 }),
        dry_run,
      },
      'An SMS to or from a number of the account',
      ['from', 'to', 'body'],
    ),
  ),
  fax: operation(
    'POST /sandbox/fax',
    {
      ...simulationFacts,
      to: text('Receiver'),
      pages: number('Pages'),
      fax_id: text('Id of the fax in the inbox'),
    },
    required(
      {
        account,
        from: shortText('Number of the sender'),
        to: shortText('Number of the receiver'),
        from_name,
        pages: integer('Number of pages (default: 1)', bounds(1, 500)),
        dry_run,
      },
      'A fax to a number of the account',
      ['from', 'to'],
    ),
  ),
  voicemail: operation(
    'POST /sandbox/voicemail',
    { ...simulationFacts, box: text('Box'), seconds: number('Length'), message_id: text('Its record') },
    required(
      {
        account,
        box: shortText('Voicemail box, by number, name or id'),
        from: caller,
        from_name,
        seconds: integer('Length of the message in seconds (default: 10)', bounds(1, 3600)),
        text: text('Transcription of the message'),
        dry_run,
      },
      'A message for a voicemail box, without a callflow',
      ['box', 'from'],
    ),
  ),
  traffic: operation(
    'POST /sandbox/traffic',
    { calls: number('Number of calls'), account_name: text('Account'), now: text('Time afterwards') },
    object(
      {
        account,
        seed: integer('Seed of the random calls (default: 1)', { minimum: 0 }),
        calls_per_minute: integer('Number of new calls per minute (default: 60)', bounds(1, 6000)),
        from: integer('Second at which this part begins', { minimum: 0 }),
        seconds: integer('Length of this part', bounds(1, 60)),
        real_time: flag('Run in real time instead of advancing the clock of the sandbox'),
      },
      'A part of simulated traffic',
    ),
  ),
  phones: operation('GET /sandbox/phones', phones, object({ account }, 'An account')),
  registerPhones: operation(
    'POST /sandbox/phones/register',
    { ...phones, refused: texts('Reasons of refused registrations') },
    required(
      {
        account,
        phone,
        expires: integer(
          'Seconds until the registration expires (default: the value of the device, or 300)',
          bounds(1, 31 * day),
        ),
        user_agent: text('User agent of the phone'),
        dry_run,
      },
      'A registration of a simulated phone',
      ['phone'],
    ),
  ),
  unregisterPhones: operation(
    'POST /sandbox/phones/unregister',
    phones,
    required({ account, phone, dry_run }, 'A phone', ['phone']),
  ),
};

export type ControlName = keyof typeof controls;
export type ControlInput<K extends ControlName> = Static<(typeof controls)[K]['input']>;
export type ControlReply<K extends ControlName> = Static<(typeof controls)[K]['reply']>;

/** Handlers of the controls. They throw a `Refusal` with a `hint` for errors that users can fix. */
export type ControlHandlers = {
  readonly [K in ControlName]: (input: ControlInput<K>) => Promise<Json>;
};
