import { Failure, withFacts } from '../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resourceByName } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import type { Call, Reply } from './api.ts';

/** Fields of a refused change that are taken elsewhere. */
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
  const { storesRefused, singular } = resourceByName(operation.resource);
  const taken = takenFields(refusal);
  if (!storesRefused || !reading || taken.length === 0 || !isObject(data)) return refusal;
  const now = await read({ operation: reading, path }).catch((error: unknown) => {
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  });
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
    hint: `Set it back: telctl ${operation.resource} patch ID`,
  });
}

const isSame = (record: JsonObject, sent: JsonObject, field: string): boolean =>
  String(record[field]).toLowerCase() === String(sent[field]).toLowerCase();
