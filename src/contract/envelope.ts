import {
  anyList,
  anything,
  either,
  flag,
  freeObject,
  integer,
  mapOf,
  number,
  object,
  required,
  text,
  texts,
} from './fields.ts';

/** Keys about the request and the service, in all responses. */
const surroundings = {
  request_id: text('Identifier of the request'),
  auth_token: text('Echo of the token used', { secret: true }),
  node: text('Name of the answering node'),
  timestamp: text('Time of the response'),
  version: text('Release version of the service'),
  tokens: object(
    { consumed: integer('Tokens used by the request'), remaining: integer('Tokens left for the caller') },
    'Tokens of the rate limit',
    { source: 'convention' },
  ),
} as const;

/** A fact such as `message` or `code`, or the rules that a field breaks. */
const detail = () =>
  either(either(text('A fact'), number('A fact')), either(freeObject('Broken rules'), anyList('Facts')));

/** By name or field. Compatible services also send a list of texts. */
const details = () => either(mapOf(detail(), 'Details'), anyList('Values that the service rejected'));

const listKey = () => either(text('A key'), anyList('Keys'));

/** Envelope of a success (Success response envelope). Only responses without data can omit `data`. */
export const successEnvelope = required(
  {
    status: text('Outcome', { enum: ['success'] }),
    data: anything(),
    ...surroundings,
    page_size: integer('Items returned'),
    revision: text('Revision of the record', { source: 'convention' }),
    start_key: listKey(),
    next_start_key: listKey(),
  },
  'Success reply',
  ['status', 'request_id', 'node', 'timestamp'],
);

/** Error body of reference operations. `data` contains validation details by field and rule (Errors). */
export const referenceError = required(
  {
    code: text('Code word'),
    message: text('What failed'),
    request_id: text('Identifier of the request'),
    data: details(),
    status: text('Outcome', { source: 'convention', enum: ['error'] }),
    error: text('HTTP status as text', { source: 'convention' }),
  },
  'Error reply',
  ['code', 'message', 'request_id'],
);

/** Error body of authentication, limits and webhooks (Errors). */
export const legacyError = required(
  {
    status: text('Outcome', { enum: ['error'] }),
    error: text('HTTP status as text, for example 402'),
    message: text('What failed'),
    data: details(),
    ...surroundings,
    page_size: integer('Items found', { source: 'convention' }),
  },
  'Error reply',
  ['status', 'error', 'message', 'data', 'request_id', 'node', 'timestamp'],
);

/** A charged item of a 402 (Errors, rule 1). Readers treat missing or unknown fields as unknown. */
export const charge = required(
  {
    category: text('Category'),
    item: text('Item'),
    quantity: integer('Quantity charged'),
    rate: number('Unit price'),
    single_discount: flag('A single discount applies'),
    single_discount_rate: number('Amount of the single discount'),
    cumulative_discount: integer('Number of discounted items'),
    cumulative_discount_rate: number('Amount of the discount on each of them'),
  },
  'A charged item',
);

/** `data` of the 402 of a limits change. */
export const charges = required({ limits: mapOf(charge, 'Charged items by name') }, 'Charges');

export const apiKey = object(
  { api_key: text('API key of the account', { secret: true, convention: { minLength: 64, maxLength: 64 } }) },
  'An API key',
);

/** Facts that compatible services add to a sign-in. */
const inTheField = {
  capabilities: freeObject('Capabilities of the account', { source: 'convention' }),
  cluster_id: text('Cluster of the service', { source: 'convention' }),
  ui_config: freeObject('Settings of web interfaces', { source: 'convention' }),
} as const;

/** Token information (Authentication records). Empty for a single sign-on without a link. */
export const tokenInformation = object(
  {
    owner_id: text('User', { ref: 'users' }),
    account_id: text('Account', { ref: 'accounts' }),
    reseller_id: text('Account of its reseller', { ref: 'accounts' }),
    account_name: text('Name of the account'),
    language: text('Language'),
    apps: anyList('Applications that the user can open'),
    method: text('Sign-in method of the token', { source: 'convention' }),
    is_reseller: flag('The account is a reseller', { source: 'convention' }),
    is_master_account: flag('The account is the top account of the service', { source: 'convention' }),
    ...inTheField,
  },
  'Contents of a token',
);

/** `data` of a sign-in. The token is next to it in the envelope (Endpoints, Authentication and tokens). */
export const signInData = object(
  {
    account_id: text('Account', { ref: 'accounts' }),
    owner_id: text('User', { ref: 'users' }),
    language: text('Language'),
    is_reseller: flag('The account is a reseller'),
    account_name: text('Name of the account', { source: 'convention' }),
    reseller_id: text('Account of its reseller', { source: 'convention', ref: 'accounts' }),
    is_master_account: flag('The account is the top account of the service', { source: 'convention' }),
    ...inTheField,
    apps: anyList('Applications that the user can open', { source: 'convention' }),
  },
  'The signed-in user',
);

export const keyIds = texts('Ids of the signing keys');

/** A hook, with the fields of compatible services. */
export const hook = required(
  {
    id: text('Id to subscribe to'),
    name: text('Name', { source: 'convention' }),
    description: text('Trigger of the hook', { source: 'convention' }),
    modifiers: freeObject('Filters for its events', { source: 'convention' }),
  },
  'A hook',
  ['id'],
);

const ours = { source: 'convention' } as const;

/** The specification shows no delivery. The fields are those of compatible services. */
export const deliveryAttempt = object(
  {
    hook_id: text('Webhook', { ...ours, ref: 'webhooks' }),
    hook_event: text('Event', ours),
    result: text('Result of the delivery', { ...ours, convention: { enum: ['success', 'failure'] } }),
    timestamp: integer('Time, in Gregorian seconds', { ...ours, shownAs: 'moment' }),
    event_id: text('Id of the event', ours),
    uri: text('URL of the request', { ...ours, secretBearing: true }),
    method: text('Request method', ours),
    req_headers: freeObject('Headers of the request', { ...ours, secret: true }),
    req_body: text('Body of the request', { ...ours, secret: true }),
    resp_status_code: integer('Status code of the response', ours),
    resp_headers: freeObject('Headers of the response', { ...ours, secret: true }),
    resp_body: text('Body of the response', ours),
    reason: text('Reason for the failure', ours),
    client_error: text('Connection error', ours),
    retries: integer('Configured retries', ours),
    retries_left: integer('Retries left', { ...ours, convention: { alsoType: ['string'] } }),
    try: integer('Number of the attempt', ours),
    custom_data: freeObject('Properties merged into the payload', { ...ours, secret: true }),
  },
  'A delivery',
);
