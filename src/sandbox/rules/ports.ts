import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { textAt, without } from '../fields.ts';
import { accountName } from '../identity/principal.ts';
import { accountOf, type Call } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { isAuthority } from '../telephony/port-states.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Objects of an array; none where it is no array. */
export const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Content type and size of the documents of a request, by name. */
export const documentsOf = ({ hidden }: Pick<StoredRecord, 'hidden'>): JsonObject =>
  isObject(hidden.documents) ? hidden.documents : {};

/** Without what only the port authority may read. */
const publicOnly = (entries: readonly JsonObject[], call: Call): readonly JsonObject[] =>
  isAuthority(call) ? entries : entries.filter((entry) => entry.is_private !== true);

const timeOf = ({ timestamp }: JsonObject): number => (typeof timestamp === 'number' ? timestamp : 0);

/** Returns the history of a request: moves and comments, oldest first. */
export function portTimeline({ body, hidden }: StoredRecord, call: Call): readonly JsonObject[] {
  const entries = [...objectsIn(hidden.moves), ...objectsIn(body.comments)];
  return publicOnly(entries, call).toSorted((a, b) => timeOf(a) - timeOf(b));
}

async function surroundingsOf(record: StoredRecord, call: Call): Promise<JsonObject> {
  const account = accountOf(call);
  const authority = textAt(account.hidden, 'reseller_id');
  const above = authority === undefined ? undefined : await call.services.store.get(accountName(authority));
  return {
    account_id: record.scope,
    account_name: textAt(account.body, 'name') ?? '',
    ...(record.body.ported_numbers === undefined ? {} : { ported_numbers: record.body.ported_numbers }),
    ...(above ? { port_authority: above.id, port_authority_name: textAt(above.body, 'name') ?? '' } : {}),
  };
}

/** Port requests: numbers in one form; comments for those who may read them (Conventions, Port requests). */
export const portRules: ResourceRules = {
  normalise: (data) => {
    const { numbers } = data;
    if (!isObject(numbers)) return data;
    return {
      ...data,
      numbers: Object.fromEntries(
        Object.entries(numbers).map(([number, details]) => [normalisedNumber(number), details]),
      ),
    };
  },
  refine: ({ body, hidden }, _, { services }) => {
    const { schedule, ported } = services.behaviour.ports;
    const isMoved = ported === 'moved' && body.port_state === 'completed';
    const numbers = isMoved ? { numbers: {}, ported_numbers: body.numbers } : {};
    const isDropped = (key: string): boolean => key === 'schedule_on' && schedule === 'any';
    return { body: { ...without(body, isDropped), ...numbers }, hidden };
  },
  derive: async (record, call) => ({
    ...(record.body.comments === undefined
      ? {}
      : { comments: publicOnly(objectsIn(record.body.comments), call) }),
    created: record.createdAt,
    updated: record.modifiedAt,
    sent: objectsIn(record.hidden.moves).length > 0,
    uploads: documentsOf(record),
    _read_only: await surroundingsOf(record, call),
  }),
};
