import { hash } from 'node:crypto';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined } from '../../base/json.ts';
import {
  addOutsideValue,
  type OutsideValues,
  replaceOutsideValues,
  withSources,
} from '../../base/outside-values.ts';
import { mapValue } from '../../contract/map-value.ts';
import { isPublicWord } from '../../contract/public-words.ts';
import { redact } from '../../contract/secrets.ts';
import { saltedHash } from '../state/ledger.ts';
import { type Desired, type InputFile, withReferences } from './desired.ts';
import { kindByName } from './kinds.ts';
import { listLeaves, liveHash, stableText } from './ledger/hashing.ts';
import { type Observed, type Plan, planVersion, type Step } from './plan.ts';
import type { Manifest } from './read-manifest.ts';
import { type ShownPrice, shownPlan, shownStep } from './shown-plan.ts';

/** Values are salted hashes. Secrets have no hashes, because a PIN could be guessed from its hash (docs/plan.md). */
export interface SavedPlan {
  readonly telctl: 'plan';
  readonly version: typeof planVersion;
  /** Random hex text before everything that is hashed. */
  readonly salt: string;
  /** By name of the command's input. */
  readonly options: JsonObject;
  readonly inputs: readonly InputFile[];
  /** By expression (`env.REGION`). Omits secrets. */
  readonly outside: Readonly<Record<string, string>>;
  readonly accounts: readonly SavedAccount[];
  /** Digest of all other parts, so that `apply` uses the reviewed plan. */
  readonly digest: string;
}

export interface SavedAccount {
  readonly plan: JsonObject;
  readonly id: string | null;
  readonly name: string;
  readonly origin: string;
  readonly steps: Readonly<Record<string, SavedStep>>;
}

export interface SavedStep {
  readonly hash: string;
  readonly action: string;
  readonly label: string;
  /** Hashes of the live values of managed fields, by dotted path. */
  readonly seen: Readonly<Record<string, string>>;
}

export interface PlanContents {
  readonly manifest: Pick<Manifest, 'desired' | 'filledIn'>;
  readonly accounts: readonly {
    readonly observed: Observed;
    readonly plan: Plan;
    /** Failure if `apply` would refuse the plan, always or without a question. */
    readonly refusal?: Failure | undefined;
    readonly unasked?: readonly Pick<Failure, 'kind' | 'message'>[];
    readonly prices?: readonly ShownPrice[];
  }[];
}

export function toSavedPlan(
  { manifest, accounts }: PlanContents,
  { salt, options }: { readonly salt: string; readonly options: JsonObject },
): SavedPlan {
  const values = outsideValues(manifest);
  const content: Omit<SavedPlan, 'digest'> = {
    telctl: 'plan',
    version: planVersion,
    salt,
    options,
    inputs: manifest.desired.inputs,
    outside: hashOutside(manifest, salt),
    accounts: accounts.map(({ observed, plan, refusal, unasked, prices }) => ({
      id: plan.account.id ?? null,
      name: withSources(plan.account.name, values),
      origin: plan.account.origin,
      plan: {
        ...replaceOutsideValues(shownPlan(plan, refusal, unasked), values),
        ...omitUndefined({ prices: prices?.length ? prices : undefined }),
      },
      steps: Object.fromEntries(
        plan.steps.map((step) => [step.key, savedStep(step, observed, salt, values)]),
      ),
    })),
  };
  return { ...content, digest: planDigest(content as unknown as JsonObject) };
}

/** Detects edits, but not forgery. */
export function planDigest({ digest: _, ...content }: JsonObject): string {
  return hash('sha256', stableText(content), 'hex');
}

function outsideValues({ filledIn }: Pick<PlanContents['manifest'], 'filledIn'>): OutsideValues {
  const values: OutsideValues = new Map();
  for (const [expression, text] of filledIn)
    if (!expression.startsWith('var.') && !isPublicWord(text)) addOutsideValue(values, expression, text);
  return values;
}

function hashOutside(
  { desired, filledIn }: PlanContents['manifest'],
  salt: string,
): Readonly<Record<string, string>> {
  const isSecret = createSecretTest(desired);
  return Object.fromEntries(
    [...filledIn]
      .filter(([name]) => !name.startsWith('secret.'))
      .filter(([, text]) => !isSecret(text))
      .map(([name, text]) => [name, saltedHash(salt, text)]),
  );
}

/** Shorter texts occur in secrets by chance. */
const shortestPart = 4;

/** Returns a function that detects a secret value of the manifest, or a part of one. */
export function createSecretTest({ accounts }: Desired): (text: string) => boolean {
  const found: string[] = [];
  for (const { kind, fields } of accounts.flatMap(({ objects }) => objects))
    mapValue(kindByName(kind).schema, fields, (node, here): Json | undefined => {
      if (node['x-secret'] !== true && node['x-secret-bearing'] !== true) return undefined;
      found.push(typeof here === 'string' ? here : JSON.stringify(here));
      return here;
    });
  return (text) =>
    text !== '' &&
    found.some((secret) => secret === text || (text.length >= shortestPart && secret.includes(text)));
}

function savedStep(step: Step, observed: Observed, salt: string, values: OutsideValues): SavedStep {
  const send = step.send === undefined ? null : redact(kindByName(step.kind).schema, step.send);
  const whole = JSON.stringify([shownStep(step), send]);
  return {
    hash: saltedHash(salt, whole),
    action: step.action,
    label: withSources(step.label, values),
    seen: observedFingerprints(step, observed, salt),
  };
}

function observedFingerprints(
  step: Step,
  observed: Observed,
  salt: string,
): Readonly<Record<string, string>> {
  const live = observed.matches.get(step.key) ?? observed.abandoned.get(step.key);
  const { record } = live ?? {};
  if (live === undefined || record === undefined || step.send === undefined) return {};
  const kind = kindByName(step.kind);
  const fields = withReferences(step.managed, (key) => observed.matches.get(key)?.id);
  const leaves = listLeaves(kind.schema, fields);
  const redacted = redact(kind.schema, record);
  const shown = isObject(redacted) ? redacted : {};
  const of = { salt, kind, id: live.id };
  return Object.fromEntries(leaves.map(({ path }) => [path, liveHash(of, shown, path)]));
}

/** Returns an empty list if the changes would be the same. */
export function compareSavedPlan(saved: SavedPlan, planned: PlanContents): readonly string[] {
  const now = toSavedPlan(planned, saved);
  return [
    ...inputChanges(saved.inputs, now.inputs),
    ...changedKeys(saved.outside, now.outside).map((name) => `\${${name}} has another value`),
    ...accountChanges(saved.accounts, now.accounts),
  ];
}

function inputChanges(before: readonly InputFile[], after: readonly InputFile[]): readonly string[] {
  const [old, now] = [before, after].map((files) =>
    Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])),
  );
  return changedKeys(old ?? {}, now ?? {}).map((name) => {
    if (now?.[name] === undefined) return `${name} is no longer there`;
    return old?.[name] === undefined ? `${name} is new` : `${name} was changed`;
  });
}

const changedKeys = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => before[key] !== after[key]);

function accountChanges(before: readonly SavedAccount[], after: readonly SavedAccount[]): readonly string[] {
  const shownAccount = ({ name, id, origin }: SavedAccount): string =>
    `${name} (${id ?? 'not yet there'}) at ${origin}`;
  if (before.length !== after.length) return ['the manifest describes other accounts'];
  return before.flatMap((old, index) => {
    const now = after[index];
    if (now === undefined || old.origin !== now.origin || old.id !== now.id)
      return [
        `the plan is for ${shownAccount(old)}, not for ${now === undefined ? 'none' : shownAccount(now)}`,
      ];
    return stepChanges(old, now);
  });
}

function stepChanges(before: SavedAccount, after: SavedAccount): readonly string[] {
  const keys = [...new Set([...Object.keys(before.steps), ...Object.keys(after.steps)])];
  return keys.flatMap((key) => {
    const old = before.steps[key];
    const now = after.steps[key];
    if (old !== undefined && now !== undefined && old.hash === now.hash) return [];
    if (old === undefined)
      return [`${key}: ${now === undefined ? 'is gone' : formatAction(now)}; it was not in the plan`];
    if (now === undefined) return [`${key}: no change is needed any more; the plan had ${old.action}`];
    const moved = changedKeys(old.seen, now.seen).filter(
      (path) => old.seen[path] !== undefined && now.seen[path] !== undefined,
    );
    if (moved.length > 0) return moved.map((path) => `${key}.${path} was changed in the account`);
    return [
      old.action === now.action
        ? `${key}: a different change would be made`
        : `${key}: ${formatAction(now)}, in the plan it was ${old.action}`,
    ];
  });
}

const formatAction = ({ action }: SavedStep): string => `now ${action}`;

export const fleetMark = 'fleet-plan';

/** Accepts plans of any version, and of rollouts. */
export function isSavedPlan(text: string): boolean {
  const value = parsedPlan(text);
  return isObject(value) && (value.telctl === 'plan' || value.telctl === fleetMark);
}

/** Throws `Failure` (`invalid`) if telctl did not write the file with this content. */
export async function readSavedPlan(name: string, text: string): Promise<SavedPlan> {
  const value = parsedPlan(text);
  if (isObject(value) && value.telctl === fleetMark)
    throw new Failure('invalid', `${name} is the plan of a fleet. Nothing was sent.`, {
      hint: createHint`To start it: ${nextStep`rollout start ${name}`}`,
    });
  if (value === undefined && beginning.test(text)) throw damagedPlan(name);
  if (!isObject(value) || value.telctl !== 'plan')
    throw new Failure('invalid', `${name} is not a plan that telctl saved. Nothing was sent.`, {
      hint: createHint`Pass manifests with -f: ${nextStep`apply -f FILE`}`,
    });
  if (value.version !== planVersion)
    throw new Failure(
      'invalid',
      `${name} is a plan of version ${JSON.stringify(value.version ?? null)}; this telctl knows version ${planVersion}. Nothing was sent.`,
      { hint: planAgain },
    );
  // Loaded on use, because the validator is large.
  const { isWholePlan } = await import('./plan-schema.ts');
  if (typeof value.digest === 'string') refuseEdited(name, value);
  if (!isWholePlan(value)) throw damagedPlan(name);
  return value;
}

/** Throws `Failure` (`invalid`) if the plan does not match its digest. */
export function refuseEdited(name: string, value: JsonObject): void {
  if (value.digest === planDigest(value)) return;
  throw new Failure('invalid', `${name} was changed since telctl saved it. Nothing was sent.`, {
    hint: planAgain,
  });
}

const planAgain = createHint`Create the plan again: ${nextStep`plan -f FILE --out PLAN`}`;

/** The end of the file may be missing. */
const beginning = /^\s*\{\s*"telctl":\s*"plan"/;

export const damagedPlan = (name: string): Failure =>
  new Failure('invalid', `${name} is damaged. Nothing was sent.`, {
    hint: planAgain,
  });

export function parsedPlan(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
