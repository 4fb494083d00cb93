import { bounded } from '../../base/bounded.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Ledger } from '../state/ledger.ts';
import { isDoubtful, type RunPart, type RunStep } from '../state/runs.ts';
import { agrees, holdsSent } from './canonical.ts';
import { type Kind, kindOf } from './kinds.ts';
import { isMadeFor } from './own-ids.ts';
import type { Service } from './service.ts';

/** What the service shows of steps that were begun and have no end in the log: their process was killed. */
interface Looking {
  readonly service: Service;
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
  const steps = await bounded(part.steps, looking.atOnce, async (step): Promise<RunStep> => {
    const kind = kindOf(step.planned.kind);
    if (!isDoubtful(step) || kind === undefined || step.planned.completes !== undefined) return step;
    const id = await idDone(step, kind, part, looking.service, taken);
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
  service: Service,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const sent = sentIn(begin?.after);
  const has = async (id: string): Promise<boolean> => {
    const got = await service.get(kind, id);
    return got.found === 'record' && got.record !== undefined && holdsSent(kind, got.record, sent);
  };
  const id = begin?.id;
  if (planned.action === 'delete')
    return id !== undefined && (await service.get(kind, id)).found === 'none' ? id : undefined;
  if (Object.keys(sent).length === 0) return undefined;
  if (planned.action === 'update') return id !== undefined && (await has(id)) ? id : undefined;
  if (planned.action !== 'create') return undefined;
  const named = id ?? (kind.keys[0] === 'id' ? planned.key.slice(planned.key.indexOf('.') + 1) : undefined);
  if (named !== undefined) return (await has(named)) ? named : undefined;
  const owner = { accountId: start.account.id, set: start.set };
  const key = kind.keys.find((each) => valueAt(sent, each) !== undefined);
  const likely = ((await service.list(kind))?.items ?? []).flatMap((item) => {
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
