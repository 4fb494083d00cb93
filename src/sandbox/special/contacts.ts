import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import { textAt, textsAt } from '../fields.ts';
import { accountOf, type Call, type Handler } from '../requests/call.ts';
import type { ListedRecord, StoredRecord } from '../store/store.ts';

/** How many callflows are read at a time. */
const stretchSize = 200;

async function* callflowsOf({ services }: Call, scope: string): AsyncGenerator<ListedRecord> {
  let from: { readonly order: string; readonly id: string } | undefined;
  while (true) {
    const read = { kind: 'callflows', scope, ascending: true, from, limit: stretchSize + 1 };
    const records = await services.store.stretch(read);
    yield* records.slice(0, stretchSize);
    const next = records[stretchSize];
    if (!next) return;
    from = { order: next.order, id: next.id };
  }
}

/** The user whom a callflow rings first. */
async function userOf({ services }: Call, { scope, body }: StoredRecord): Promise<StoredRecord | undefined> {
  const id = valueAt(body.flow, 'module') === 'user' ? valueAt(body.flow, 'data.id') : undefined;
  return typeof id === 'string' ? services.store.get({ kind: 'users', scope, id }) : undefined;
}

const personOf = ({ body }: StoredRecord): string =>
  [textAt(body, 'first_name'), textAt(body, 'last_name')].filter(Boolean).join(' ');

const isExcluded = ({ body }: StoredRecord): boolean => valueAt(body, 'contact_list.exclude') === true;

/** The contact that a callflow makes; none without a name or a number, or where it is kept out. */
async function contactOf(call: Call, callflow: StoredRecord): Promise<readonly JsonObject[]> {
  const user = await userOf(call, callflow);
  if (isExcluded(callflow) || (user && isExcluded(user))) return [];
  const name = (user && personOf(user)) || textAt(callflow.body, 'name');
  const module = isObject(callflow.body.flow) ? textAt(callflow.body.flow, 'module') : undefined;
  const numbers = textsAt(callflow.body, 'numbers');
  const external = numbers.find((number) => number.startsWith('+'));
  const internal = numbers.find((number) => /^\d{1,7}$/.test(number));
  if (!name || (external === undefined && internal === undefined)) return [];
  return [
    {
      name: module === undefined ? name : `${name} (${module})`,
      ...(external === undefined ? {} : { external_number: external }),
      ...(internal === undefined ? {} : { internal_number: internal }),
    },
  ];
}

/** The contact list: an empty object, as the specification shows it, or the contacts that the callflows make. */
const list: Handler = async (call) => {
  const contacts: JsonObject[] = [];
  for await (const callflow of callflowsOf(call, accountOf(call).id)) {
    contacts.push(...(await contactOf(call, callflow)));
  }
  if (contacts.length === 0) return { data: {} };
  return { data: contacts.toSorted((a, b) => String(a.name).localeCompare(String(b.name), 'en')) };
};

/** Who can be called (Conventions, Contact list). */
export const contactHandlers = new Map<string, Handler>([['contacts.get', list]]);
