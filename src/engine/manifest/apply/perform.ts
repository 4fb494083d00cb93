import { clearDoubt, Failure, isLost } from '../../../base/failure.ts';
import { isEqualJson, isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { canonicalField, holdsSent, holdsSentField } from '../canonical.ts';
import { type Kind, kindByName } from '../kinds.ts';
import { createWithOwnId, idTakenFailure, type OwnIds } from '../own-ids.ts';
import type { EndingRequest, Performed, Step } from '../plan.ts';
import type { RunParts } from '../run-plan.ts';
import type { Service, ServiceAnswer } from '../service.ts';

interface Performing extends Pick<RunParts, 'service' | 'fileOf' | 'ownIds'> {
  /** Ids from before the apply. They cannot belong to a create whose response was lost. */
  knownIds(kind: Kind): ReadonlySet<string>;
}

/**
 * Sends the request of a step. After a lost response or a conflict, searches for the object before it repeats a
 * create once. A request that can cost is not repeated. Its effect is read instead. Throws `Failure`.
 */
export async function performStep(step: Step, data: JsonObject, parts: Performing): Promise<Performed> {
  const kind = kindByName(step.kind);
  const { service } = parts;
  const id = step.id ?? step.name;
  switch (step.by) {
    case 'create':
      return create(step, kind, data, parts);
    case 'patch':
      return sendChange(step, kind, data, parts, (body) => service.patch(kind, id, body));
    case 'replace':
      return sendChange(step, kind, data, parts, (body) => service.replace(kind, id, body));
    case 'upload':
      return { id, answer: await service.upload(kind, id, parts.fileOf(step)) };
    case 'delete':
      return { id, answer: await ignoreGone(service.remove(kind, id)) };
    default:
      if (step.call) return { id, answer: await endLive(service, step.call) };
      throw new Error(`${step.key} sends nothing.`);
  }
}

interface Creation {
  readonly step: Step;
  readonly kind: Kind;
  readonly data: JsonObject;
  readonly service: Service;
  readonly own: OwnIds;
  /** These ids cannot be the created object. */
  readonly knownIds: ReadonlySet<string>;
}

async function create(step: Step, kind: Kind, data: JsonObject, parts: Performing): Promise<Performed> {
  const own = parts.ownIds(step);
  const creation = { step, kind, data, service: parts.service, own, knownIds: parts.knownIds(kind) };
  if (own.ids.length > 0 && own.isSure) return createUnderOwnId(creation);
  try {
    return await createOnce(creation);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'conflict') return findTwin(creation, error);
    if (isLost(error)) return findOrRetry(creation, error);
    throw error;
  }
}

const createOnce = (creation: Creation): Promise<Performed> =>
  creation.own.ids.length > 0 ? createUnderOwnId(creation) : sendCreate(creation, creation.data);

async function sendCreate({ step, kind, service }: Creation, data: JsonObject): Promise<Performed> {
  const named = kind.keys[0] === 'id' ? step.name : undefined;
  const answer = await service.create(kind, named, data);
  const id = named ?? answer.record?.id;
  if (typeof id === 'string') return { id, answer, charges: answer.charges };
  throw new Failure('failed', `The service created ${step.label} but returned no id.`, {
    requestId: answer.requestId,
    inDoubt: true,
  });
}

async function createUnderOwnId(creation: Creation): Promise<Performed> {
  const { step, kind, data, service, own } = creation;
  const { made, found, accepted } = await createWithOwnId<Performed>(own, {
    create: (id) => sendCreate(creation, id === undefined ? data : { ...data, id }),
    async read(id) {
      const got = await service.get(kind, id);
      return got.found === 'record' && got.record ? { id, answer: got } : undefined;
    },
    isSame: ({ answer: { record = {} } }) => holdsSent(kind, record, data),
    other: (id) => idTakenFailure(kind.resource, step.label, id),
  });
  return found === undefined ? made : { ...made, found, charges: accepted };
}

/** Returns the object that this create made. A request that arrives twice conflicts with itself. */
async function findTwin(creation: Creation, conflict: Failure): Promise<Performed> {
  const twin = await findAfterFailure(creation, conflict);
  if (twin?.answer.record && holdsSent(creation.kind, twin.answer.record, creation.data)) return twin;
  throw conflict;
}

/** Returns the object whose create got no response, or creates it again if it does not exist. */
async function findOrRetry(creation: Creation, lost: Failure): Promise<Performed> {
  const found = await findAfterFailure(creation, lost);
  if (found) return found;
  // A create that accepted charges is never sent twice, because the first request may still arrive.
  if (lost.accepted !== undefined) throw lost;
  try {
    return await createOnce(creation);
  } catch (error) {
    // If the first request arrived after the search, the name is taken.
    if (!(error instanceof Failure) || (!isLost(error) && error.kind !== 'conflict')) throw error;
    const late = await findAfterFailure(creation, error);
    if (late) return late;
    // A service that responded has finished. Without a response, the create may still arrive.
    throw error.status === undefined || !isLost(error) ? error : clearDoubt(error);
  }
}

/** Throws the failure of the create if the search fails. */
async function findAfterFailure(creation: Creation, failure: Failure): Promise<Performed | undefined> {
  try {
    const found = await findCreated(creation, failure);
    const how = isLost(failure) ? 'no-reply' : 'there';
    return found && { id: found.id, answer: found, found: how, charges: failure.accepted };
  } catch (error) {
    throw error instanceof Failure ? failure : error;
  }
}

async function sendChange(
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

/** Returns the record if it has the sent values. Throws `lost` if it cannot be read. */
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
  const canonicalForm = (field: string, value: Json = null): Json => canonicalField(kind, field, value);
  const isThere = Object.entries(data).every(
    ([field, sent]) =>
      sent === undefined || isEqualJson(canonicalForm(field, record[field]), canonicalForm(field, sent)),
  );
  return isThere ? got : undefined;
}

/** A request about a missing object counts as done. */
async function ignoreGone(
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

/** Counts as ended without a proper response, because it ends with its record. */
const endLive = (service: Service, call: EndingRequest): Promise<ServiceAnswer> =>
  ignoreGone(service.end(call), ({ kind, inDoubt }) => kind === 'not_found' || inDoubt);

/** Finds the object of a create by its natural key, or by all sent fields. Throws `lost` if it cannot search. */
async function findCreated(
  { service, kind, step, data, knownIds }: Creation,
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
  const likely = listed.items.flatMap((item) => {
    if (typeof item.id !== 'string' || knownIds.has(item.id)) return [];
    const isLikely =
      key === undefined || valueAt(item, key) === undefined || holdsSentField(kind, key, item, data);
    return isLikely ? [item.id] : [];
  });
  const wanted = key === undefined ? data : { [key]: data[key] };
  const found: (ServiceAnswer & { readonly id: string })[] = [];
  for (const id of likely) {
    const got = await service.get(kind, id);
    if (got.found === 'record' && got.record && holdsSent(kind, got.record, wanted))
      found.push({ ...got, id });
  }
  const [first, second] = found;
  if (first && second)
    throw new Failure(
      'conflict',
      `The service did not respond, and two objects could be ${step.label}: ${first.id} and ${second.id}.`,
      { hint: 'Delete the one that you do not want, then try again.', cause: lost },
    );
  return first;
}
