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

/** Keys of `optional` can be missing. */
export const closedObject = (required: JsonObject, optional: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

const withDescription = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

const refusal = closedObject({ kind: { enum: Object.keys(exitCodes) }, message: text }, { hint: text });

const change = closedObject(
  {
    path: withDescription('Dotted path; a dot inside a key is %2E, and steps of a flow are flow/2/_', text),
    how: { enum: ['set', 'changed', 'removed', 'added', 'moved'] },
  },
  {
    before: withDescription('Value in the account', {}),
    after: withDescription('Value that the manifest wants', {}),
    secret: withDescription('The values are left out', always),
    sources: withDescription('Sources of the value: env.NAME, file.PATH', texts),
    drift: withDescription('Others changed it since the last apply', always),
    from: withDescription('Former place of a moved branch', text),
  },
);

const step = closedObject(
  {
    key: withDescription('Section and local name, users.alice', text),
    kind: { enum: kinds.map(({ name }) => name) },
    name: text,
    label: withDescription('Name for people', text),
    action: { enum: [...actions] },
    changes: { type: 'array', items: { $ref: '#/$defs/change' } },
    after: withDescription('Keys of the steps that must succeed first', texts),
    notes: withDescription('Sentences', texts),
  },
  {
    id: withDescription('Id of the object, if it exists', text),
    by: withDescription('The request', {
      enum: ['create', 'patch', 'replace', 'delete', 'upload', 'call'],
    }),
    sends: withDescription('Names of the fields that are sent', texts),
    may_cost: withDescription('It can add charges', always),
    drifted: withDescription('Paths of fields that others changed', texts),
    protect: withDescription('Never deleted', always),
    takes_from: withDescription('The manifest set that manages the object now', text),
    releases: withDescription('Key of the step whose object releases a value temporarily', text),
    completes: withDescription(
      'Key of the earlier step that creates the object without these fields, or the record of the file',
      text,
    ),
  },
);

const kept = closedObject({
  key: text,
  label: text,
  why: { enum: ['not-pruned', 'protected', 'found', 'signed-in', 'other-set'] },
  note: withDescription('The reason, and what to do', text),
});

const doubled = closedObject(
  {
    key: text,
    label: text,
    id: withDescription('Id of the object that is used', text),
    others: { type: 'array', items: text },
  },
  { deleted: withDescription('The plan adopts this object and deletes the others', { const: true }) },
);

const price = closedObject(
  {
    key: withDescription('Kind of the steps', text),
    path: withDescription('The field that grows, or the type of records that are added', text),
    added: { type: 'integer', minimum: 1 },
    rate: withDescription('For each, with each bill', text),
    recurring: withDescription('Additional amount of each bill, after discounts', text),
  },
  { once: withDescription('Due once', text), in_all: withDescription('Number of them afterwards', count) },
);

const charges = closedObject(
  { recurring: withDescription('Additional amount of each bill', text) },
  {
    once: withDescription('Due once', text),
    accounts: withDescription('Number of accounts with charges', count),
  },
);

const unmanaged = closedObject({ kind: { enum: kinds.map(({ name }) => name) }, id: text, label: text });

const account = closedObject(
  {
    account: closedObject({
      id: withDescription('null: the manifest creates the account first', { type: ['string', 'null'] }),
      name: text,
      origin: text,
    }),
    set: withDescription('Name of the manifest set', text),
    steps: withDescription('In an order in which they can run one by one', {
      type: 'array',
      items: { $ref: '#/$defs/step' },
    }),
    counts: closedObject(Object.fromEntries(actions.map((action) => [action, count]))),
  },
  {
    kept: withDescription('Objects of the set that the manifest no longer names, and that are kept', {
      type: 'array',
      items: kept,
    }),
    doubles: withDescription('Objects with duplicates that no manifest set manages', {
      type: 'array',
      items: doubled,
    }),
    calls: withDescription('With --calls: the number of tested calls, and the calls whose route changes', {
      type: 'object',
    }),
    unmanaged: withDescription('With --unmanaged: objects of the account that are in no manifest', {
      type: 'array',
      items: unmanaged,
    }),
    unread: withDescription('With --unmanaged: sections that could not be read completely, with the reason', {
      type: 'object',
      additionalProperties: text,
    }),
    prices: withDescription('Prices that the service reports for the changes: estimates, before taxes', {
      type: 'array',
      items: price,
    }),
    charges: withDescription('Sums of those prices', charges),
    refused: withDescription('Why apply would refuse the plan', { $ref: '#/$defs/refusal' }),
    refused_unasked: withDescription('Changes that apply only makes after a question or with an option', {
      type: 'array',
      items: { $ref: '#/$defs/refusal' },
    }),
  },
);

const $defs = { account, step, change, refusal };

export const accountPlanSchema = (): JsonObject => ({ $ref: '#/$defs/account', $defs });

export const planSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'telctl plan',
  description: 'Output of telctl plan -o json. Incompatible changes get a new version.',
  ...closedObject(
    { version: { const: planVersion }, accounts: { type: 'array', items: { $ref: '#/$defs/account' } } },
    {
      refused: withDescription('Why apply would refuse all accounts together', { $ref: '#/$defs/refusal' }),
      counts: withDescription('With --accounts: sums over all of them', {
        type: 'object',
        additionalProperties: { type: 'integer' },
      }),
      charges: withDescription('With --accounts: sums of the prices that the service reports', charges),
      failed: withDescription('With --accounts: those that could not be planned, the first thousand', {
        type: 'array',
        items: { type: 'object' },
      }),
    },
  ),
  $defs,
});

/** Includes the reasons why `apply` would have refused the plan. */
export interface SavedShown {
  readonly plan: Plan;
  readonly refused: ShownRefusal | undefined;
  readonly refusedUnasked: readonly ShownRefusal[];
  readonly prices?: readonly ShownPrice[];
}

const fitsPlan = createCheck(accountPlanSchema);
const isShown = (value: JsonObject): value is JsonObject & ShownPlan => fitsPlan(value);

/** `send` contains only names of fields. Throws the error of `damaged`. */
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
const savedStep = closedObject({ hash: text, action: text, label: text, seen: textsByKey });

const fitsFile = createCheck(() =>
  closedObject({
    telctl: { const: 'plan' },
    version: { const: planVersion },
    salt: text,
    options: { type: 'object' },
    inputs: list(closedObject({ name: text, sha256: text })),
    outside: textsByKey,
    accounts: list(
      closedObject({
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

export const isWholePlan = (value: JsonObject): value is JsonObject & SavedPlan => fitsFile(value);
