import { Failure, leadsOn, nextStep, unlessFailed, withFacts } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { inWords } from '../../base/wording.ts';
import { commandWordsOf, resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { Call, Reply } from './api.ts';
import { eachPage } from './each-page.ts';

function takenFields({ details }: Failure): readonly string[] {
  const fields: Json | undefined = isObject(details) ? details.fields : undefined;
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((each: Json) =>
    isObject(each) && each.rule === 'unique' && typeof each.field === 'string' ? [each.field] : [],
  );
}

/** Fields that the service stored although it refused the change; none for any other failure. */
export function storedFields(failure: unknown): readonly string[] {
  if (!(failure instanceof Failure) || !isObject(failure.details)) return [];
  const { stored } = failure.details;
  return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : [];
}

/**
 * A refused change of a record, with what the service stored of it all the same: some check whether a name is taken,
 * save, and answer with the refusal (Conventions, Accounts). The record is read back for that.
 */
export async function withStored(
  { operation, path = {}, data }: Call,
  refusal: Failure,
  reading: Operation | undefined,
  read: (call: Call) => Promise<Reply>,
): Promise<Failure> {
  const { storesRefused, singular } = resourceOf(operation);
  const taken = takenFields(refusal);
  if (!storesRefused || !reading || taken.length === 0 || !isObject(data)) return refusal;
  const now = await unlessFailed(read({ operation: reading, path }));
  const record = now?.data;
  if (!isObject(record)) return refusal;
  const stored = taken.filter((field) => isSame(record, data, field));
  if (stored.length === 0) return refusal;
  const said = stored.map((field) => `${field} ${JSON.stringify(record[field])}`).join(', ');
  return withFacts(refusal, {
    lines: [
      ...refusal.lines,
      `The service stored the change nevertheless: the ${singular} now has ${said}, as another one does.`,
    ],
    details: { ...(isObject(refusal.details) ? refusal.details : {}), stored: [...stored] },
    hint: leadsOn`Set it back: ${nextStep`${commandWordsOf(resourceOf(operation))} patch ID`}`,
  });
}

const isSame = (record: JsonObject, sent: JsonObject, field: string): boolean =>
  String(record[field]).toLowerCase() === String(sent[field]).toLowerCase();

/** Resources of which some services show records that are not the account's (Conventions). */
const shownToAll: ReadonlySet<string> = new Set(['conferences', 'webhooks']);

/** True where a reply may be of a record that the account does not have. */
function isDoubtful({ operation }: Call, { data, envelope }: Reply): boolean {
  const { resource, verb } = operation;
  if (verb !== 'get' || !shownToAll.has(resource) || !isObject(data)) return false;
  // Only services that tell revisions show webhooks to others; what has no revision there was never stored.
  const isStored = typeof envelope.revision === 'string';
  return resource === 'webhooks' ? isStored : !isStored && isNameless(operation, data);
}

const isNameless = ({ resource }: Operation, record: JsonObject): boolean =>
  resourceOf({ resource }).naturalKeys.every((key) => {
    const value = record[key];
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  });

/** Throws `Failure` (`not_found`) where a reply shows a record that the account's list does not have. */
export async function refuseAbsent(
  one: Call,
  reply: Reply,
  read: (call: Call) => Promise<Reply>,
): Promise<void> {
  if (!isDoubtful(one, reply)) return;
  const { operation, path = {} } = one;
  const { operations, idParameter = '', singular } = resourceOf(operation);
  const list = operations.find(({ verb }) => verb === 'list');
  const id = path[idParameter];
  if (!list || id === undefined) return;
  try {
    for await (const page of eachPage(read, { operation: list, path }))
      if (page.some((item) => item.id === id)) return;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return;
    throw error;
  }
  throw new Failure('not_found', `There is no ${inWords(singular)} ${JSON.stringify(id)} in this account.`, {
    status: 404,
    code: 'bad_identifier',
    requestId: reply.requestId,
  });
}

/**
 * The failure of a change of a record that is not there. Some services check what was sent before they look for the
 * record, and miss in it what only the stored one has.
 */
export async function absence(
  { operation, path = {}, data }: Call,
  refusal: Failure,
  reading: Operation | undefined,
  read: (call: Call) => Promise<Reply>,
): Promise<Failure> {
  if (operation.body?.kind !== 'partial' || !reading || refusal.status !== 400) return refusal;
  const fields = isObject(refusal.details) ? refusal.details.fields : undefined;
  const misses = (each: unknown): boolean =>
    isObject(each) &&
    each.rule === 'required' &&
    !(isObject(data) && Object.hasOwn(data, String(each.field)));
  if (!Array.isArray(fields) || !fields.some(misses)) return refusal;
  try {
    await read({ operation: reading, path });
    return refusal;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.kind === 'not_found' ? error : refusal;
  }
}
