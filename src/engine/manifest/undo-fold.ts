import { mapWithConcurrency } from '../../base/concurrency.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../state/ledger.ts';
import type { LoggedStep } from '../state/log.ts';
import { isDone, isDoubtful, type RunPart, type RunStep } from '../state/runs.ts';
import type { AccountReader } from './account-reader.ts';
import { agrees, holdsSent, withMergePatch } from './canonical.ts';
import { type Kind, kindOfSection, nameInKey } from './kinds.ts';
import { isMadeFor } from './own-ids.ts';

/**
 * A part in which each object has one step: what came of it is told by the values before the first change and the
 * last one. Only commands change an object more than once. `final`: steps about no record that can be set back.
 */
export function foldedPart(part: RunPart): { readonly part: RunPart; readonly final: readonly LoggedStep[] } {
  const done = part.steps.filter(isDone);
  if (part.start.what !== 'command') {
    // A kind may be unknown in the log of another telctl, or in a damaged one.
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
    folded.set(object, earlier === undefined ? step : together(earlier, step));
  }
  return { part: { ...part, steps: [...folded.values()].flatMap((step) => step ?? []) }, final };
}

const actions = new Set(['create', 'update', 'delete']);

const isReversible = ({ kind, action }: LoggedStep): boolean =>
  actions.has(action) && kindOfSection(kind) !== undefined;

/** Combines two steps of the same object; `undefined` if they cancel each other out. */
function together(first: RunStep, second: RunStep): RunStep | undefined {
  const isCreated = first.planned.action === 'create';
  const { action } = second.planned;
  if (isCreated && action === 'delete') return undefined;
  const unkept = [...new Set([...(first.begin?.unkept ?? []), ...(second.begin?.unkept ?? [])])];
  const before =
    action === 'delete' ? wholeBefore(first, second) : merged(second.begin?.before, first.begin?.before);
  const planned = isCreated ? first.planned : { ...first.planned, action };
  const { begin, end } = second;
  return {
    planned,
    begin: begin && { ...begin, ...(isCreated ? {} : { before, unkept }) },
    end: end && {
      ...end,
      ...foldedEntry(first.end?.entry, end.entry),
      unseen: [...new Set([...(first.end?.unseen ?? []), ...(end.unseen ?? [])])],
    },
  };
}

const wholeBefore = ({ begin: first }: RunStep, { begin: second }: RunStep): JsonObject =>
  withMergePatch(objectIn(second?.before), objectIn(first?.before));

/** A merge patch that sets back what two did: where both name a value, that of the first counts. */
function merged(second: Json | undefined, first: Json | undefined): JsonObject {
  const [later, earlier] = [objectIn(second), objectIn(first)];
  const both = Object.entries(earlier).map(([key, value]) => {
    const other = later[key];
    return [key, isObject(value) && isObject(other) ? merged(other, value) : value] as const;
  });
  return { ...later, ...Object.fromEntries(both) };
}

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The hashes of what both steps sent, the later ones where both name a value. */
function foldedEntry(
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

/** What the service shows of steps that were begun and have no end in the log: their process was killed. */
interface Looking {
  readonly reader: AccountReader;
  readonly ledger: Ledger | undefined;
  readonly atOnce: number;
  /** Called for each step that turns out to be done. */
  found(step: RunStep, id: string): void;
}

/**
 * A part in which each step that was begun and has no end counts as done where the service shows what it sent. A create
 * has made the one object that nobody else's entry of the ledger names and that has all that was sent.
 */
export async function settledPart(part: RunPart, looking: Looking): Promise<RunPart> {
  if (!part.steps.some(isDoubtful)) return part;
  const taken = idsOfOthers(part, looking.ledger);
  const steps = await mapWithConcurrency(part.steps, looking.atOnce, async (step): Promise<RunStep> => {
    const kind = kindOfSection(step.planned.kind);
    if (!isDoubtful(step) || kind === undefined || step.planned.completes !== undefined) return step;
    const id = await idDone(step, kind, part, looking.reader, taken);
    if (id === undefined) return step;
    looking.found(step, id);
    return { ...step, end: { line: 'end', key: step.planned.key, ok: true, id, found: true } };
  });
  return { ...part, steps };
}

/** Ids of objects that the run did not make in a step without an end: it made them in others, or the ledger has them. */
function idsOfOthers({ start, steps }: RunPart, ledger: Ledger | undefined): ReadonlySet<string> {
  const doubtful = new Set(steps.filter(isDoubtful).map(({ planned }) => planned.key));
  const others = ledger?.entries.filter(({ set, key }) => set !== start.set || !doubtful.has(key)) ?? [];
  return new Set([...steps.flatMap(({ end }) => end?.id ?? []), ...others.map(({ id }) => id)]);
}

/** Id of the object of a step where the service shows that it was done. */
async function idDone(
  { planned, begin }: RunStep,
  kind: Kind,
  { start }: RunPart,
  reader: AccountReader,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const sent = sentIn(begin?.after);
  const has = async (id: string): Promise<boolean> => {
    const got = await reader.get(kind, id);
    return got.found === 'record' && got.record !== undefined && holdsSent(kind, got.record, sent);
  };
  const id = begin?.id;
  if (planned.action === 'delete')
    return id !== undefined && (await reader.get(kind, id)).found === 'none' ? id : undefined;
  if (Object.keys(sent).length === 0) return undefined;
  if (planned.action === 'update') return id !== undefined && (await has(id)) ? id : undefined;
  if (planned.action !== 'create') return undefined;
  const named = id ?? (kind.keys[0] === 'id' ? nameInKey(planned.key) : undefined);
  if (named !== undefined) return (await has(named)) ? named : undefined;
  const owner = { accountId: start.account.id, set: start.set };
  const key = kind.keys.find((each) => valueAt(sent, each) !== undefined);
  const likely = ((await reader.list(kind))?.items ?? []).flatMap((item) => {
    if (typeof item.id !== 'string' || taken.has(item.id)) return [];
    const mayBe = key === undefined || item[key] === undefined || agrees(kind, key, item, sent);
    return mayBe || isMadeFor(owner, planned.key, item.id) ? [item.id] : [];
  });
  const found: string[] = [];
  for (const each of likely) if (await has(each)) found.push(each);
  // Of two that are alike nobody knows which one it made.
  return found.length === 1 ? found[0] : undefined;
}

/** The values that were sent, as far as the log has them: `set` stands in it for what is secret. */
function sentIn(after: Json | undefined): JsonObject {
  if (!isObject(after)) return {};
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      if (value === undefined || value === 'set') return [];
      return [[key, isObject(value) ? sentIn(value) : value]];
    }),
  );
}
