import { createHint, Failure, ignoreFailure, nextStep, withFacts } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { humanize } from '../../base/wording.ts';
import { commandWordsOf, resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiRequest, Reply } from './api.ts';
import { eachPage } from './each-page.ts';

function duplicateFields({ details }: Failure): readonly string[] {
  const fields: Json | undefined = isObject(details) ? details.fields : undefined;
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((each: Json) =>
    isObject(each) && each.rule === 'unique' && typeof each.field === 'string' ? [each.field] : [],
  );
}

/** Returns the fields that the service stored although it refused the change. */
export function storedFields(failure: unknown): readonly string[] {
  if (!(failure instanceof Failure) || !isObject(failure.details)) return [];
  const { stored } = failure.details;
  return Array.isArray(stored) ? stored.filter((each): each is string => typeof each === 'string') : [];
}

/**
 * Adds the stored fields to a refused change. Some services check for duplicate names, save, and then respond with
 * the refusal (Conventions, Accounts), so the record is read again.
 */
export async function explainStoredChange(
  { operation, path = {}, data }: ApiRequest,
  refusal: Failure,
  reading: Operation | undefined,
  read: (call: ApiRequest) => Promise<Reply>,
): Promise<Failure> {
  const { storesRefused, singular } = resourceOf(operation);
  const taken = duplicateFields(refusal);
  if (!storesRefused || !reading || taken.length === 0 || !isObject(data)) return refusal;
  const now = await ignoreFailure(read({ operation: reading, path }));
  const record = now?.data;
  if (!isObject(record)) return refusal;
  const stored = taken.filter((field) => isSameValue(record, data, field));
  if (stored.length === 0) return refusal;
  const said = stored.map((field) => `${field} ${JSON.stringify(record[field])}`).join(', ');
  return withFacts(refusal, {
    lines: [
      ...refusal.lines,
      `The service still stored the change: the ${singular} now has ${said}, like another one.`,
    ],
    details: { ...(isObject(refusal.details) ? refusal.details : {}), stored: [...stored] },
    hint: createHint`To revert it: ${nextStep`${commandWordsOf(resourceOf(operation))} patch ID`}`,
  });
}

const isSameValue = (record: JsonObject, sent: JsonObject, field: string): boolean =>
  String(record[field]).toLowerCase() === String(sent[field]).toLowerCase();

/** Some services return records of other accounts (Conventions). */
const shownToAll: ReadonlySet<string> = new Set(['conferences', 'webhooks']);

/** Returns true if a response may contain a record of another account. */
function isDoubtful({ operation }: ApiRequest, { data, envelope }: Reply): boolean {
  const { resource, verb } = operation;
  if (verb !== 'get' || !shownToAll.has(resource) || !isObject(data)) return false;
  // Only services with revisions show webhooks to other accounts. A webhook without a revision was not stored by such
  // a service.
  const isStored = typeof envelope.revision === 'string';
  return resource === 'webhooks' ? isStored : !isStored && isNameless(operation, data);
}

const isNameless = ({ resource }: Operation, record: JsonObject): boolean =>
  resourceOf({ resource }).naturalKeys.every((key) => {
    const value = record[key];
    return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  });

/** Throws `Failure` (`not_found`) if the record of a response is not in the account's list. */
export async function refuseAbsent(
  request: ApiRequest,
  reply: Reply,
  read: (call: ApiRequest) => Promise<Reply>,
): Promise<void> {
  if (!isDoubtful(request, reply)) return;
  const { operation, path = {} } = request;
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
  throw new Failure('not_found', `There is no ${humanize(singular)} ${JSON.stringify(id)} in this account.`, {
    status: 404,
    code: 'bad_identifier',
    requestId: reply.requestId,
  });
}

/**
 * Returns `not_found` for a change of a missing record. Some services validate the input first, and report missing
 * fields.
 */
export async function explainMissingRecord(
  { operation, path = {}, data }: ApiRequest,
  refusal: Failure,
  reading: Operation | undefined,
  read: (call: ApiRequest) => Promise<Reply>,
): Promise<Failure> {
  if (operation.body?.kind !== 'partial' || !reading || refusal.status !== 400) return refusal;
  const fields = isObject(refusal.details) ? refusal.details.fields : undefined;
  const reportsMissingField = (each: unknown): boolean =>
    isObject(each) &&
    each.rule === 'required' &&
    !(isObject(data) && Object.hasOwn(data, String(each.field)));
  if (!Array.isArray(fields) || !fields.some(reportsMissingField)) return refusal;
  try {
    await read({ operation: reading, path });
    return refusal;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.kind === 'not_found' ? error : refusal;
  }
}
