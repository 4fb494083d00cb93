import { type Failure, wrongRecordFailure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { toKeptText } from '../../contract/kept-form.ts';
import { dialledDigits, toStoredNumber } from '../../contract/phone-number.ts';
import { accountParameter, loadedResource } from '../../contract/resource.ts';
import type { Resource } from '../../contract/types.ts';
import type { ApiRequest, Reply } from './api.ts';

interface Difference {
  readonly asked: string;
  readonly answered: string;
}

/**
 * Returns the failure of a response that contains another record: another id than in the path or, without an id, none
 * of the sent natural keys. Keys are compared in the service's format. Partial records and responses without data
 * pass.
 */
export function otherRecordFailure(
  call: ApiRequest,
  reply: Reply,
  accountId: string | undefined,
): Failure | undefined {
  const { operation } = call;
  const { data } = reply;
  if (operation.reply.kind !== 'record' || operation.reply.isNew || !isObject(data)) return undefined;
  const about = loadedResource(operation.reply.resource ?? operation.resource);
  if (about === undefined || about.kind === 'singleton' || about.oneOfEach !== undefined) return undefined;
  const asked = askedId(call, about, accountId);
  const found =
    asked !== undefined && typeof data.id === 'string'
      ? differentId(about, asked, data)
      : differentKeys(about, call, data);
  return (
    found &&
    wrongRecordFailure(about.singular, found, {
      status: reply.status,
      requestId: reply.requestId,
      accepted: reply.charges,
      isRead: operation.effect === 'read',
    })
  );
}

/**
 * Returns the id that the response must have. It is `undefined` for a new account, because that path contains the id
 * of the parent.
 */
function askedId(
  { operation, path = {} }: ApiRequest,
  { idParameter }: Resource,
  accountId: string | undefined,
) {
  if (idParameter === undefined || !operation.path.includes(`{${idParameter}}`)) return undefined;
  if (idParameter !== accountParameter) return path[idParameter];
  return operation.verb === 'create' ? undefined : (path[idParameter] ?? accountId);
}

function differentId(about: Resource, asked: string, record: JsonObject): Difference | undefined {
  const answered = String(record.id);
  const [one, other] = [asked, answered].map(normalizeId);
  // Ids of call records and recordings start with their month, which can be omitted.
  if (one === undefined || other === undefined || one.endsWith(other) || other.endsWith(one))
    return undefined;
  const name = about.naturalKeys.map((key) => record[key]).find((value) => typeof value === 'string');
  return { asked, answered: typeof name === 'string' && name !== '' ? `${answered} (${name})` : answered };
}

const normalizeId = (id: string): string => toStoredNumber(dialledDigits(id)).toLowerCase();

/** Returns the sent natural keys and those of the response, if none of them match. */
function differentKeys(
  about: Resource,
  { data, record }: ApiRequest,
  answered: JsonObject,
): Difference | undefined {
  if (!isObject(data)) return undefined;
  const compared = about.naturalKeys.flatMap((key) => {
    const theirs = keyTexts(answered[key]);
    const ours = keyTexts(data[key]);
    return ours.length === 0 || theirs.length === 0 ? [] : [{ key, ours, theirs }];
  });
  const [first] = compared;
  if (first === undefined) return undefined;
  const comparedText = (key: string, text: string): string =>
    toKeptText(about.schema, key, text)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const isSame = compared.some(({ key, ours, theirs }) => {
    const known = new Set([...ours, ...keyTexts(record?.[key])].map((text) => comparedText(key, text)));
    return theirs.some((text) => known.has(comparedText(key, text)));
  });
  return isSame ? undefined : { asked: first.ours.join(', '), answered: first.theirs.join(', ') };
}

const keyTexts = (value: Json | undefined): readonly string[] =>
  [value ?? []].flat().filter((each): each is string => typeof each === 'string' && each !== '');
