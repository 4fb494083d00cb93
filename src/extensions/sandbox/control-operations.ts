import type { Json, JsonObject } from '../../base/json.ts';
import { flag, integer, list, mapOf, number, object, required, text, texts } from '../../contract/fields.ts';
import type { Schema, Static } from '../../contract/schema-node.ts';

/** An operation by which the owner of a sandbox controls it, beside the service. */
export interface ControlOperation<I = unknown, R = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Parts that the input fills begin with a colon. */
  readonly path: `/sandbox/${string}`;
  readonly input: Schema<I>;
  readonly reply: Schema<R>;
  /** Runs while no other request does: those under way end first. */
  readonly alone?: true;
}

type Fields = Readonly<Record<string, Schema>>;
type Row<F extends Fields> = { [K in keyof F]: Static<F[K]> } & JsonObject;

/** An object with these fields, and with others. */
const row = <const F extends Fields>(properties: F): Schema<Row<F>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: true,
});
const rows = <const F extends Fields>(doc: string, fields: F) => list(row(fields), doc);

const operation = <const F extends Fields, const I = Record<never, never>>(
  route: `${ControlOperation['method']} /sandbox/${string}`,
  reply: F,
  input: Schema<I> = object({}, 'Nothing') as Schema<I>,
  more: Pick<ControlOperation, 'alone'> = {},
): ControlOperation<I, Row<F>> => {
  const [method, path] = route.split(' ') as [ControlOperation['method'], ControlOperation['path']];
  return { method, path, input, reply: row(reply), ...more };
};

const word = <const T extends string>(description: string, words: readonly T[]): Schema<T> => ({
  type: 'string',
  description,
  enum: words,
});
const bounded = (minimum: number, maximum: number) => ({ minimum, maximum });
const line = (doc: string) => text(doc, { minLength: 1, maxLength: 256 });
const day = 86_400;

const account = text('Account, by id, name or realm; the first one if left out');
const dry_run = flag('Only show what would happen');
const caller = line(
  'Who calls: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous',
);
const from_name = text('Name that the caller shows');
const phone = line('A device by id, name, MAC or SIP user name, or a user: all devices of the user');
const snapshotName = text('Letters, digits, dots, dashes and underscores');

const clock = { now: text('Its time'), offset_ms: number('Lead over the clock of the machine') };
const snapshot = { name: text('Name'), bytes: number('Size'), created_at: text('When it was made') };
const place = { account_id: text('Account'), name: text('Its name') };
const cleared = { cleared: number('How many') };
const phones = { account_name: text('Account'), phones: rows('Phones', {}) };
const fault = {
  id: text('Number of the fault'),
  match: text('Requests that it is for'),
  matched: number('How many fitted'),
  disturbed: number('How many it struck'),
};
/** What is known of all that a simulation brings. */
const brought = {
  account_id: text('Account'),
  account_name: text('Its name'),
  from: text('Sender'),
  events: rows('Events that webhooks were told of', { hook: text('Hook') }),
};

/** The controls of a sandbox. Each is an operation with its reply and its input. */
export const controls = {
  status: operation('GET /sandbox/status', { node: text('Name of the sandbox') }),
  overview: operation('GET /sandbox/overview', { clock: row(clock) }),
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
    { entries: rows('Requests and deliveries, oldest first', {}) },
    object({ since: integer('Only entries after this number') }, 'Which entries'),
  ),
  faults: operation('GET /sandbox/faults', { faults: rows('Oldest first', fault) }),
  addFault: operation(
    'POST /sandbox/faults',
    fault,
    object(
      {
        match: text(
          'Which requests, by method and path, * for anything: "PUT /users*", "/v2/api_auth"; all by default',
        ),
        status: integer('Answer with this error; the request is not carried out', bounded(400, 599)),
        retry_after: integer('Seconds that Retry-After names', bounded(0, 1000 * day)),
        drop: word('Cut the connection: before anything happens, or after the request was carried out', [
          'before',
          'after',
        ]),
        delay_ms: number("Wait first, by the sandbox's clock", {
          shownAs: 'milliseconds',
          ...bounded(0, 1000 * day),
        }),
        body: word('Carry the request out and break its reply off in the middle', ['garbage']),
        times: integer('Number of requests that meet it; all by default', bounded(1, 1_000_000)),
        rate: number('Share of the requests, 0 to 1: 0.05 is one in twenty', bounded(0, 1)),
        seed: integer(
          'Number that chooses the requests: the same one, the same requests',
          bounded(0, 4_294_967_295),
        ),
        dry_run,
      },
      'A fault to cause: one of a status, a cut connection and a broken body, or a delay alone',
    ),
  ),
  clearFaults: operation('DELETE /sandbox/faults', cleared),
  clearFault: operation(
    'DELETE /sandbox/faults/:id',
    cleared,
    required({ id: text('Number of the fault') }, 'A fault'),
  ),
  snapshots: operation('GET /sandbox/snapshots', { snapshots: rows('By name', snapshot) }),
  saveSnapshot: operation(
    'POST /sandbox/snapshots',
    snapshot,
    required({ name: snapshotName, replace: flag('Replace one of that name') }, 'A snapshot', ['name']),
  ),
  loadSnapshot: operation(
    'POST /sandbox/snapshots/:name/load',
    snapshot,
    required({ name: snapshotName }, 'A snapshot'),
    { alone: true },
  ),
  deleteSnapshot: operation(
    'DELETE /sandbox/snapshots/:name',
    { deleted: text('Its name') },
    required({ name: snapshotName }, 'A snapshot'),
  ),
  reset: operation('POST /sandbox/reset', {}, undefined, { alone: true }),
  findAccount: operation('GET /sandbox/accounts/find', place, required({ account }, 'An account')),
  resetAccount: operation(
    'POST /sandbox/accounts/reset',
    { ...place, erased: number('Number of its records') },
    required({ account }, 'An account'),
    { alone: true },
  ),
  call: operation(
    'POST /sandbox/call',
    {
      ...brought,
      to: text('What was dialled'),
      words: text('How the call ended'),
      duration_seconds: number('Length of the call'),
      billing_seconds: number('Length of its answered part'),
      path: rows('Steps of callflows on its way', { label: text('The step, in words') }),
      not_simulated: rows('What is left out here', { words: text('In words') }),
    },
    required(
      {
        account,
        from: caller,
        to: line('What is dialled: a number or an extension'),
        from_name,
        duration: integer(
          'How long the call lasts in all (default: 30); longer where ringing alone takes longer',
          bounded(1, day),
        ),
        answering: word('What those do who are called', ['answer', 'no-answer', 'busy']),
        digits: texts('What the caller dials when asked, answer by answer; timeout for nothing'),
        people: mapOf(text('What somebody does: answers after 12s'), 'What users and devices do, by name'),
        hangs_up_after: number('Seconds after which the caller gives up'),
        acts: texts('What is done in the call: after 10s transfer 2002'),
        real_time: flag('Make the call live: each event comes when it happens, and records at its end'),
        dry_run,
      },
      'A call to simulate',
      ['from', 'to'],
    ),
  ),
  sms: operation(
    'POST /sandbox/sms',
    { ...brought, to: text('Receiver') },
    required(
      {
        account,
        from: line('Who sends: a number, or a user or extension of the account'),
        to: line('Who receives'),
        body: text('What it says', { minLength: 1, maxLength: 1600 }),
        dry_run,
      },
      'An SMS that comes to a number of the account, or goes from it',
      ['from', 'to', 'body'],
    ),
  ),
  fax: operation(
    'POST /sandbox/fax',
    { ...brought, to: text('Receiver'), pages: number('Pages'), fax_id: text('Record in the inbox') },
    required(
      {
        account,
        from: line('Number that sends'),
        to: line('Number that receives'),
        from_name,
        pages: integer('How many pages (default: 1)', bounded(1, 500)),
        dry_run,
      },
      'A fax to a number of the account',
      ['from', 'to'],
    ),
  ),
  voicemail: operation(
    'POST /sandbox/voicemail',
    { ...brought, box: text('Box'), seconds: number('Length'), message_id: text('Its record') },
    required(
      {
        account,
        box: line('Voicemail box, by number, name or id'),
        from: caller,
        from_name,
        seconds: integer('How long the message is (default: 10)', bounded(1, 3600)),
        text: text('What it says, as its transcription'),
        dry_run,
      },
      'A message for a voicemail box, past any callflow',
      ['box', 'from'],
    ),
  ),
  traffic: operation(
    'POST /sandbox/traffic',
    { calls: number('Number of calls'), account_name: text('Account'), now: text('Time after it') },
    object(
      {
        account,
        seed: integer('The same number brings the same calls again (default: 1)', { minimum: 0 }),
        calls_per_minute: integer('How many calls begin in a minute (default: 60)', bounded(1, 6000)),
        from: integer('Second of the whole at which this part begins', { minimum: 0 }),
        seconds: integer('Length of this part', bounded(1, 60)),
        real_time: flag('Let time pass at its own speed; otherwise the clock of the sandbox is turned ahead'),
      },
      'A part of a busy time',
    ),
  ),
  phones: operation('GET /sandbox/phones', phones, object({ account }, 'An account')),
  registerPhones: operation(
    'POST /sandbox/phones/register',
    { ...phones, refused: texts('Why others were not') },
    required(
      {
        account,
        phone,
        expires: integer(
          'Seconds until it has to register again; by default what its device says, 300',
          bounded(1, 31 * day),
        ),
        user_agent: text('What the phone calls itself'),
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

/** What answers the controls. A handler throws a `Refusal` for what people can do something about; a `hint` in its data is what to do next. */
export type ControlHandlers = {
  readonly [K in ControlName]: (input: ControlInput<K>) => Promise<Json>;
};
