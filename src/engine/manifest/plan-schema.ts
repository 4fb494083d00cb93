import { exitCodes } from '../../base/failure.ts';
import { type JsonObject, omitUndefined } from '../../base/json.ts';
import { createCheck } from '../../contract/validate.ts';
import { kindByName, kinds } from './kinds.ts';
import { type Plan, planVersion, type Step } from './plan.ts';
import type { SavedPlan } from './saved-plan.ts';
import type { ShownPlan, ShownPrice, ShownRefusal, ShownStep } from './shown-plan.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const always = { const: true } as const;
const actions = ['create', 'update', 'unchanged', 'delete', 'unverifiable'] as const;

/** An object whose keys are all named; those of `optional` may be missing. */
export const closed = (required: JsonObject, optional: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

const described = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

const refusal = closed({ kind: { enum: Object.keys(exitCodes) }, message: text }, { hint: text });

const change = closed(
  {
    path: described('Dotted path; a dot inside a key is %2E, and steps of a flow are flow/2/_', text),
    how: { enum: ['set', 'changed', 'removed', 'added', 'moved'] },
  },
  {
    before: described('Value in the account', {}),
    after: described('Value that the manifest wants', {}),
    secret: described('The values are left out', always),
    sources: described('What the value was filled in from: env.NAME, file.PATH', texts),
    drift: described('Others changed it since the last apply', always),
    from: described('Place where a moved branch stood', text),
  },
);

const step = closed(
  {
    key: described('Section and local name, users.alice', text),
    kind: { enum: kinds.map(({ name }) => name) },
    name: text,
    label: described('As people call it', text),
    action: { enum: [...actions] },
    changes: { type: 'array', items: { $ref: '#/$defs/change' } },
    after: described('Keys of the steps that must have succeeded before', texts),
    notes: described('Sentences', texts),
  },
  {
    id: described('Of the object, where it exists', text),
    by: described('The call that would be made', {
      enum: ['create', 'patch', 'replace', 'delete', 'upload', 'call'],
    }),
    sends: described('Names of the fields that are sent', texts),
    may_cost: described('It can add charges', always),
    drifted: described('Paths of fields that others changed', texts),
    protect: described('Never deleted', always),
    takes_from: described('The manifest set that manages the object now', text),
    releases: described('Key of the step whose object gives a value up for a while', text),
    completes: described(
      'Key of the step before: a create without these fields, or the record of a file',
      text,
    ),
  },
);

const kept = closed({
  key: text,
  label: text,
  why: { enum: ['not-pruned', 'protected', 'found', 'signed-in', 'other-set'] },
  note: described('Says so in words, and what to do', text),
});

const doubled = closed(
  {
    key: text,
    label: text,
    id: described('The one that is meant', text),
    others: { type: 'array', items: text },
  },
  { deleted: described('The plan adopts the one and deletes the others', { const: true }) },
);

const price = closed(
  {
    key: described('Kind of the steps', text),
    path: described('The field that grows, or the sort of records that are added', text),
    added: { type: 'integer', minimum: 1 },
    rate: described('Of each, with each bill', text),
    recurring: described('More with each bill, less discounts', text),
  },
  { once: described('Due once', text), in_all: described('Number of them afterwards', count) },
);

/** Sums of prices. */
const charges = closed(
  { recurring: described('More with each bill', text) },
  { once: described('Due once', text), accounts: described('Accounts that have any', count) },
);

const unmanaged = closed({ kind: { enum: kinds.map(({ name }) => name) }, id: text, label: text });

const account = closed(
  {
    account: closed({
      id: described('null: the manifest creates the account first', { type: ['string', 'null'] }),
      name: text,
      origin: text,
    }),
    set: described('Name of the manifest set', text),
    steps: described('In an order in which they can be done one by one', {
      type: 'array',
      items: { $ref: '#/$defs/step' },
    }),
    counts: closed(Object.fromEntries(actions.map((action) => [action, count]))),
  },
  {
    kept: described('Objects of the set that the manifest no longer names and that stay', {
      type: 'array',
      items: kept,
    }),
    doubles: described('Objects by whose name the account has others that nobody manages', {
      type: 'array',
      items: doubled,
    }),
    calls: described('With --calls: how many calls were tried, and which go elsewhere afterwards', {
      type: 'object',
    }),
    unmanaged: described('With --unmanaged: objects of the account that stand in no manifest', {
      type: 'array',
      items: unmanaged,
    }),
    unread: described('With --unmanaged: sections that could not be read whole, and why', {
      type: 'object',
      additionalProperties: text,
    }),
    prices: described('Prices that the service tells of what the plan adds: estimates, before taxes', {
      type: 'array',
      items: price,
    }),
    charges: described('Sums of those prices', charges),
    refused: described('Why apply would refuse the plan', { $ref: '#/$defs/refusal' }),
    refused_unasked: described('What apply does only once somebody was asked, or an option says so', {
      type: 'array',
      items: { $ref: '#/$defs/refusal' },
    }),
  },
);

const $defs = { account, step, change, refusal };

/** The plan of one account in it. */
export const accountPlanSchema = (): JsonObject => ({ $ref: '#/$defs/account', $defs });

export const planSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'telctl plan',
  description: 'What telctl plan -o json gives. A change that breaks readers gets another version.',
  ...closed(
    { version: { const: planVersion }, accounts: { type: 'array', items: { $ref: '#/$defs/account' } } },
    {
      refused: described('Why apply would refuse all accounts together', { $ref: '#/$defs/refusal' }),
      counts: described('With --accounts: sums over all of them', {
        type: 'object',
        additionalProperties: { type: 'integer' },
      }),
      charges: described('With --accounts: sums of the prices that the service tells', charges),
      failed: described('With --accounts: those that could not be planned, the first thousand', {
        type: 'array',
        items: { type: 'object' },
      }),
    },
  ),
  $defs,
});

/** A plan as it was saved, and why `apply` would have refused it then. */
export interface SavedShown {
  readonly plan: Plan;
  readonly refused: ShownRefusal | undefined;
  readonly refusedUnasked: readonly ShownRefusal[];
  /** Prices that the service told then. */
  readonly prices?: readonly ShownPrice[];
}

const fitsPlan = createCheck(accountPlanSchema);
const isShown = (value: JsonObject): value is JsonObject & ShownPlan => fitsPlan(value);

/** Reads a plan as `shownPlan` wrote it: of `send` it has the names of the fields. Throws what `damaged` gives. */
export function readShownPlan(value: JsonObject, damaged: () => Error): SavedShown {
  if (!isShown(value)) throw damaged();
  const { account, set, steps, kept, doubles, refused, refused_unasked: refusedUnasked = [], prices } = value;
  return {
    plan: {
      version: planVersion,
      account: { ...account, id: account.id ?? undefined },
      set,
      steps: steps.map(stepOf),
      ...omitUndefined({ kept, doubles }),
    },
    refused,
    refusedUnasked,
    ...omitUndefined({ prices }),
  };
}

const stepOf = ({ kind, sends, may_cost: mayCost, takes_from: takesFrom, ...step }: ShownStep): Step => ({
  ...step,
  kind: kindByName(kind).name,
  protect: step.protect === true,
  ...omitUndefined({
    send: sends && Object.fromEntries(sends.map((name) => [name, null])),
    mayCost,
    takesFrom,
  }),
  managed: {},
});

const textsByKey = { type: 'object', additionalProperties: text } as const;
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const savedStep = closed({ hash: text, action: text, label: text, seen: textsByKey });

const fitsFile = createCheck(() =>
  closed({
    telctl: { const: 'plan' },
    version: { const: planVersion },
    salt: text,
    options: { type: 'object' },
    inputs: list(closed({ name: text, sha256: text })),
    outside: textsByKey,
    accounts: list(
      closed({
        plan: { type: 'object' },
        id: { type: ['string', 'null'] },
        name: text,
        origin: text,
        steps: { type: 'object', additionalProperties: savedStep },
      }),
    ),
    digest: text,
  }),
);

/** True for a plan file with all that it holds. */
export const isWholePlan = (value: JsonObject): value is JsonObject & SavedPlan => fitsFile(value);
