import { mapWithConcurrency } from '../../base/concurrency.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../state/ledger.ts';
import type { LoggedStep } from '../state/log.ts';
import { isDone, isDoubtful, type RunPart, type RunStep } from '../state/runs.ts';
import type { AccountReader } from './account-reader.ts';
import { holdsSent, holdsSentField, withMergePatch } from './canonical.ts';
import { type Kind, kindOfSection, nameInKey } from './kinds.ts';
import { isMadeFor } from './own-ids.ts';

/** Combines the steps of each object. `final` contains steps without a record, which cannot be undone. */
export function foldPart(part: RunPart): { readonly part: RunPart; readonly final: readonly LoggedStep[] } {
  const done = part.steps.filter(isDone);
  if (part.start.what !== 'command') {
    // The log of another version, or a damaged log, can contain unknown kinds.
    const isKnown = ({ planned }: RunStep): boolean => kindOfSection(planned.kind) !== undefined;
    const final = done.flatMap((step) => (isKnown(step) ? [] : [step.planned]));
    return { part: { ...part, steps: part.steps.filter(isKnown) }, final };
  }
  const final = done.flatMap(({ planned }) => (isReversible(planned) ? [] : [planned]));
  const folded = new Map<string, RunStep | undefined>();
  for (const step of done) {
    if (!isReversible(step.planned)) continue;
    const { begin, end, planned } = step;
    const object = `${planned.kind} ${end?.id ?? begin?.id ?? planned.key}`;
    const earlier = folded.get(object);
    folded.set(object, earlier === undefined ? step : combineSteps(earlier, step));
  }
  return { part: { ...part, steps: [...folded.values()].flatMap((step) => step ?? []) }, final };
}

const actions = new Set(['create', 'update', 'delete']);

const isReversible = ({ kind, action }: LoggedStep): boolean =>
  actions.has(action) && kindOfSection(kind) !== undefined;

/** Returns `undefined` if the steps cancel each other out. */
function combineSteps(first: RunStep, second: RunStep): RunStep | undefined {
  const isCreated = first.planned.action === 'create';
  const { action } = second.planned;
  if (isCreated && action === 'delete') return undefined;
  const unkept = [...new Set([...(first.begin?.unkept ?? []), ...(second.begin?.unkept ?? [])])];
  const before =
    action === 'delete'
      ? wholeBefore(first, second)
      : combinePatches(second.begin?.before, first.begin?.before);
  const planned = isCreated ? first.planned : { ...first.planned, action };
  const { begin, end } = second;
  return {
    planned,
    begin: begin && { ...begin, ...(isCreated ? {} : { before, unkept }) },
    end: end && {
      ...end,
      ...combineEntries(first.end?.entry, end.entry),
      unseen: [...new Set([...(first.end?.unseen ?? []), ...(end.unseen ?? [])])],
    },
  };
}

const wholeBefore = ({ begin: first }: RunStep, { begin: second }: RunStep): JsonObject =>
  withMergePatch(objectOrEmpty(second?.before), objectOrEmpty(first?.before));

/** The first step's value takes precedence. */
function combinePatches(second: Json | undefined, first: Json | undefined): JsonObject {
  const [later, earlier] = [objectOrEmpty(second), objectOrEmpty(first)];
  const both = Object.entries(earlier).map(([key, value]) => {
    const other = later[key];
    return [key, isObject(value) && isObject(other) ? combinePatches(other, value) : value] as const;
  });
  return { ...later, ...Object.fromEntries(both) };
}

const objectOrEmpty = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The second step's value takes precedence. */
function combineEntries(
  first: LedgerEntry | undefined,
  second: LedgerEntry | undefined,
): { readonly entry?: LedgerEntry } {
  if (!first || !second) return second ? { entry: second } : {};
  const overtaken = Object.keys(second.fields);
  const given = Object.entries(first.given).filter(([path]) => !overtaken.includes(path));
  const { whole: _, ...rest } = second;
  return {
    entry: {
      ...rest,
      fields: { ...first.fields, ...second.fields },
      given: { ...Object.fromEntries(given), ...second.given },
    },
  };
}

/** For steps without an end in the log, whose process was killed. */
interface Looking {
  readonly reader: AccountReader;
  readonly ledger: Ledger | undefined;
  readonly atOnce: number;
  found(step: RunStep, id: string): void;
}

/**
 * Marks steps without an end as done if the service shows their effect. For a create, that is the only object with
 * all sent values that no other entry of the ledger contains.
 */
export async function settlePart(part: RunPart, looking: Looking): Promise<RunPart> {
  if (!part.steps.some(isDoubtful)) return part;
  const taken = idsOfOthers(part, looking.ledger);
  const steps = await mapWithConcurrency(part.steps, looking.atOnce, async (step): Promise<RunStep> => {
    const kind = kindOfSection(step.planned.kind);
    if (!isDoubtful(step) || kind === undefined || step.planned.completes !== undefined) return step;
    const id = await findDoneId(step, kind, part, looking.reader, taken);
    if (id === undefined) return step;
    looking.found(step, id);
    return { ...step, end: { line: 'end', key: step.planned.key, ok: true, id, found: true } };
  });
  return { ...part, steps };
}

function idsOfOthers({ start, steps }: RunPart, ledger: Ledger | undefined): ReadonlySet<string> {
  const doubtful = new Set(steps.filter(isDoubtful).map(({ planned }) => planned.key));
  const others = ledger?.entries.filter(({ set, key }) => set !== start.set || !doubtful.has(key)) ?? [];
  return new Set([...steps.flatMap(({ end }) => end?.id ?? []), ...others.map(({ id }) => id)]);
}

/** Returns an id if the service shows that the step was done. */
async function findDoneId(
  { planned, begin }: RunStep,
  kind: Kind,
  { start }: RunPart,
  reader: AccountReader,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const sent = sentValues(begin?.after);
  const hasSentValues = async (id: string): Promise<boolean> => {
    const got = await reader.get(kind, id);
    return got.found === 'record' && got.record !== undefined && holdsSent(kind, got.record, sent);
  };
  const id = begin?.id;
  if (planned.action === 'delete')
    return id !== undefined && (await reader.get(kind, id)).found === 'none' ? id : undefined;
  if (Object.keys(sent).length === 0) return undefined;
  if (planned.action === 'update') return id !== undefined && (await hasSentValues(id)) ? id : undefined;
  if (planned.action !== 'create') return undefined;
  const named = id ?? (kind.keys[0] === 'id' ? nameInKey(planned.key) : undefined);
  if (named !== undefined) return (await hasSentValues(named)) ? named : undefined;
  const owner = { accountId: start.account.id, set: start.set };
  const key = kind.keys.find((each) => valueAt(sent, each) !== undefined);
  const likely = ((await reader.list(kind))?.items ?? []).flatMap((item) => {
    if (typeof item.id !== 'string' || taken.has(item.id)) return [];
    const mayBe = key === undefined || item[key] === undefined || holdsSentField(kind, key, item, sent);
    return mayBe || isMadeFor(owner, planned.key, item.id) ? [item.id] : [];
  });
  const found: string[] = [];
  for (const each of likely) if (await hasSentValues(each)) found.push(each);
  // If two objects are alike, it is unknown which one the step created.
  return found.length === 1 ? found[0] : undefined;
}

/** Omits secrets, for which the log contains `set`. */
function sentValues(after: Json | undefined): JsonObject {
  if (!isObject(after)) return {};
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (value === undefined || value === 'set') return [];
      return [[key, isObject(value) ? sentValues(value) : value]];
    }),
  );
}
