import { clearDoubt, Failure, isLost } from '../../../base/failure.ts';
import { isEqualJson, isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { agrees, canonicalField, holdsSent } from '../canonical.ts';
import { type Kind, kindByName } from '../kinds.ts';
import { createWithOwnId, type OwnIds, takenByOther } from '../own-ids.ts';
import type { EndingRequest, Performed, Step } from '../plan.ts';
import type { RunParts } from '../run-plan.ts';
import type { Service, ServiceAnswer } from '../service.ts';

export interface Queueing {
  readonly atOnce: number;
  /** Carries a step out; returns whether the steps after it may follow. Rejects only for a bug. */
  work(step: Step): Promise<boolean>;
  /** Called for a step that is not begun since a step before it, `failed`, did not succeed. */
  skip(step: Step, failed: Step): void;
  stopped(): boolean;
}

/**
 * Carries steps out, each when those before it are done. What may cost comes as early as it can and alone, since
 * somebody may be asked; deletes that only other deletes wait for come when all else is over.
 */
export function runSteps(steps: readonly Step[], { atOnce, work, skip, stopped }: Queueing): Promise<void> {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const missing = new Map<string, number>();
  const followers = new Map<string, Step[]>();
  for (const step of steps) {
    const before = step.after.filter((key) => byKey.has(key));
    missing.set(step.key, before.length);
    for (const key of before) {
      const those = followers.get(key);
      if (those) those.push(step);
      else followers.set(key, [step]);
    }
  }
  const patient = new Map<string, boolean>();
  const waitsForEnd = ({ key, by }: Step): boolean => {
    const known = patient.get(key) ?? (by === 'delete' && (followers.get(key) ?? []).every(waitsForEnd));
    patient.set(key, known);
    return known;
  };
  const costly: Step[] = [];
  const ready: Step[] = [];
  const last: Step[] = [];
  let taken = 0;
  let running = 0;
  let alone = false;
  let left = steps.filter((step) => !waitsForEnd(step)).length;
  const over = new Set<string>();

  const enqueue = (step: Step): void => {
    if (step.mayCost) costly.push(step);
    else if (waitsForEnd(step)) last.push(step);
    else ready.push(step);
  };
  const next = (): Step | undefined => {
    if (alone || running >= atOnce) return undefined;
    if (costly.length > 0) return running === 0 ? costly.shift() : undefined;
    if (taken < ready.length) return ready[taken++];
    return left === 0 ? last.shift() : undefined;
  };
  const end = (step: Step): void => {
    over.add(step.key);
    if (!waitsForEnd(step)) left -= 1;
  };
  const fail = (step: Step): void => {
    for (const follower of followers.get(step.key) ?? []) {
      if (over.has(follower.key)) continue;
      end(follower);
      skip(follower, step);
      fail(follower);
    }
  };
  const settle = (step: Step, ok: boolean): void => {
    running -= 1;
    alone = false;
    end(step);
    if (!ok) fail(step);
    else
      for (const follower of followers.get(step.key) ?? []) {
        const still = (missing.get(follower.key) ?? 1) - 1;
        missing.set(follower.key, still);
        if (still === 0 && !over.has(follower.key)) enqueue(follower);
      }
  };

  for (const step of steps) if (missing.get(step.key) === 0) enqueue(step);
  return new Promise((resolve, reject) => {
    let bug: { readonly error: unknown } | undefined;
    const pump = (): void => {
      for (;;) {
        const step = stopped() || bug ? undefined : next();
        if (step === undefined) break;
        running += 1;
        alone = step.mayCost === true;
        work(step)
          .then(
            (ok) => settle(step, ok),
            (error: unknown) => {
              bug ??= { error };
              settle(step, false);
            },
          )
          .then(pump, reject);
      }
      if (running === 0) bug ? reject(bug.error) : resolve();
    };
    pump();
  });
}

interface Performing extends Pick<RunParts, 'service' | 'fileOf' | 'ownIds'> {
  /** Ids of objects of a kind that cannot be the one whose create got no reply. */
  knownIds(kind: Kind): ReadonlySet<string>;
}

/**
 * Makes the call of a step whose references are filled in. After a lost reply a create is looked for before it is
 * repeated, once, after a conflict as well, and what can cost is read back and not repeated. Throws `Failure`.
 */
export async function perform(step: Step, data: JsonObject, parts: Performing): Promise<Performed> {
  const kind = kindByName(step.kind);
  const { service } = parts;
  const id = step.id ?? step.name;
  switch (step.by) {
    case 'create':
      return create(step, kind, data, parts);
    case 'patch':
      return costing(step, kind, data, parts, (body) => service.patch(kind, id, body));
    case 'replace':
      return costing(step, kind, data, parts, (body) => service.replace(kind, id, body));
    case 'upload':
      return { id, answer: await service.upload(kind, id, parts.fileOf(step)) };
    case 'delete':
      return { id, answer: await unlessGone(service.remove(kind, id)) };
    default:
      if (step.call) return { id, answer: await endLive(service, step.call) };
      throw new Error(`${step.key} sends nothing.`);
  }
}

async function create(step: Step, kind: Kind, data: JsonObject, parts: Performing): Promise<Performed> {
  const { service } = parts;
  const named = kind.keys[0] === 'id' ? step.name : undefined;
  const made = async (sent: JsonObject): Promise<Performed> => {
    const answer = await service.create(kind, named, sent);
    const id = named ?? answer.record?.id;
    if (typeof id === 'string') return { id, answer, charges: answer.charges };
    throw new Failure('failed', `The service created ${step.label} and gave no id.`, {
      requestId: answer.requestId,
      inDoubt: true,
    });
  };
  const withOwnId = async (own: OwnIds): Promise<Performed> => {
    const end = await createWithOwnId<Performed>(own, {
      create: (id) => made(id === undefined ? data : { ...data, id }),
      async read(id) {
        const got = await service.get(kind, id);
        return got.found === 'record' && got.record ? { id, answer: got } : undefined;
      },
      isSame: ({ answer: { record = {} } }) => holdsSent(kind, record, data),
      other: (id) => takenByOther(kind.resource, step.label, id),
    });
    const { found, accepted } = end;
    return { ...end.made, ...(found === undefined ? {} : { found, charges: accepted }) };
  };
  const own = parts.ownIds(step);
  if (own.ids.length > 0 && own.isSure) return withOwnId(own);
  const once = (): Promise<Performed> => (own.ids.length > 0 ? withOwnId(own) : made(data));
  const look = async (lost: Failure): Promise<Performed | undefined> => {
    try {
      const found = await findCreated(service, kind, step, data, parts.knownIds(kind), lost);
      const how = isLost(lost) ? 'no-reply' : 'there';
      return found && { id: found.id, answer: found, found: how, charges: lost.accepted };
    } catch (error) {
      // Where nobody can look, the create is what is in doubt.
      throw error instanceof Failure ? lost : error;
    }
  };
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A request that was delivered twice is refused by what it made itself the first time.
    if (error.kind === 'conflict') {
      const twin = await look(error);
      if (twin?.answer.record && holdsSent(kind, twin.answer.record, data)) return twin;
      throw error;
    }
    if (!isLost(error)) throw error;
    const found = await look(error);
    if (found) return found;
    // What accepted charges is never sent twice: it may still be on its way.
    if (error.accepted !== undefined) throw error;
    try {
      return await once();
    } catch (again) {
      // It may have been on its way while it was looked for: then its name is taken now, by itself.
      if (!(again instanceof Failure) || (!isLost(again) && again.kind !== 'conflict')) throw again;
      const late = await look(again);
      if (late) return late;
      // A service that answered has done what it would do; without any answer the create may still be on its way.
      throw again.status === undefined || !isLost(again) ? again : clearDoubt(again);
    }
  }
}

/** A change of what is there. What can cost, or did, is read back after a lost reply. */
async function costing(
  step: Step,
  kind: Kind,
  data: JsonObject,
  parts: Performing,
  send: (data: JsonObject) => Promise<ServiceAnswer>,
): Promise<Performed> {
  const id = step.id ?? step.name;
  try {
    const answer = await send(data);
    return { id, answer, charges: answer.charges };
  } catch (error) {
    if (!(error instanceof Failure) || !isLost(error)) throw error;
    const { accepted } = error;
    if (!step.mayCost && accepted === undefined) throw error;
    const answer = await readBack(step, kind, data, parts.service, error);
    if (answer) return { id, answer, found: 'no-reply', charges: accepted };
    throw clearDoubt(error);
  }
}

/** Reads what the service holds, where that is what was sent. Throws `lost` where it cannot be read. */
async function readBack(
  { id, name }: Step,
  kind: Kind,
  data: JsonObject,
  service: Service,
  lost: Failure,
): Promise<ServiceAnswer | undefined> {
  const got = await service.get(kind, id ?? name).catch((error: unknown) => {
    throw error instanceof Failure ? lost : error;
  });
  if (got.found !== 'record' || !isObject(got.record)) throw lost;
  const { record } = got;
  const form = (field: string, value: Json = null): Json => canonicalField(kind, field, value);
  const isThere = Object.entries(data).every(
    ([field, sent]) => sent === undefined || isEqualJson(form(field, record[field]), form(field, sent)),
  );
  return isThere ? got : undefined;
}

/** Returns the answer of a request that takes something away. If it is gone already, the request counts as done. */
async function unlessGone(
  sent: Promise<ServiceAnswer>,
  isGone = ({ kind }: Failure): boolean => kind === 'not_found',
): Promise<ServiceAnswer> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof Failure && isGone(error))
      return { record: undefined, requestId: error.requestId, atSeconds: undefined };
    throw error;
  }
}

/** Ends something live. It ends without a proper reply as well: with the records that it belongs to. */
const endLive = (service: Service, call: EndingRequest): Promise<ServiceAnswer> =>
  unlessGone(service.end(call), ({ kind, inDoubt }) => kind === 'not_found' || inDoubt);

/**
 * Looks for an object whose create got no proper reply: one that is not `known` to be another's and has its natural
 * key, or all that was sent. `undefined`: it was not created. Throws `lost` where the service has no way to look.
 */
async function findCreated(
  service: Service,
  kind: Kind,
  step: Step,
  data: JsonObject,
  known: ReadonlySet<string>,
  lost: Failure,
): Promise<(ServiceAnswer & { readonly id: string }) | undefined> {
  if (kind.keys[0] === 'id') {
    const got = await service.get(kind, step.name);
    if (got.found === 'not-offered') throw lost;
    return got.found === 'record' && got.record ? { ...got, id: step.name } : undefined;
  }
  const listed = await service.list(kind);
  if (listed === undefined) throw lost;
  const key = kind.keys.find((each) => data[each] !== undefined && data[each] !== null);
  const fresh = listed.items.flatMap((item) =>
    typeof item.id === 'string' && !known.has(item.id) ? [{ item, id: item.id }] : [],
  );
  // Lists do not show every field.
  const likely = fresh.filter(
    ({ item }) => key === undefined || valueAt(item, key) === undefined || agrees(kind, key, item, data),
  );
  const found: (ServiceAnswer & { readonly id: string })[] = [];
  for (const { id } of likely) {
    const got = await service.get(kind, id);
    if (got.found !== 'record' || !got.record) continue;
    const { record } = got;
    if (holdsSent(kind, record, key === undefined ? data : { [key]: data[key] })) found.push({ ...got, id });
  }
  const [first, second] = found;
  if (first && second)
    throw new Failure(
      'conflict',
      `No reply came, and two objects could be ${step.label}: ${first.id} and ${second.id}.`,
      { hint: 'Delete the one that is not wanted, then repeat.', cause: lost },
    );
  return first;
}
