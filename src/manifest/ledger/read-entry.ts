import { isObject, type Json } from '../../base/json.ts';
import { kindOf } from '../kinds.ts';
import type { LedgerEntry } from './ledger.ts';

const origins = new Map<Json | undefined, LedgerEntry['origin']>([
  ['created', 'created'],
  ['adopted', 'adopted'],
  ['found', 'found'],
]);

/** An entry as a file holds it, checked. Throws what `damaged` gives where it is none. */
export function readEntry(value: Json, damaged: () => Error): LedgerEntry {
  if (!isObject(value)) throw damaged();
  const {
    set,
    key,
    kind: section,
    id,
    natural,
    origin: word,
    protect,
    confidential,
    fields,
    whole,
    given,
    seen,
    appliedMs,
  } = value;
  const kind = typeof section === 'string' ? kindOf(section) : undefined;
  const origin = origins.get(word);
  if (
    typeof set !== 'string' ||
    typeof key !== 'string' ||
    typeof id !== 'string' ||
    kind === undefined ||
    origin === undefined ||
    typeof protect !== 'boolean' ||
    typeof seen !== 'number' ||
    typeof appliedMs !== 'number' ||
    !isTexts(natural) ||
    !isTexts(fields) ||
    !isTexts(given)
  )
    throw damaged();
  return {
    set,
    key,
    kind: kind.name,
    id,
    natural,
    origin,
    protect,
    ...(Array.isArray(confidential) ? { confidential: confidential.filter(isText) } : {}),
    fields,
    ...(typeof whole === 'string' ? { whole } : {}),
    given,
    seen,
    appliedMs,
  };
}

const isText = (value: Json): value is string => typeof value === 'string';

const isTexts = (value: Json | undefined): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string');
