import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Behaviour } from '../../../client/session/learned-facts.ts';
import { operationOf, resources } from '../../../contract/catalogue.ts';
import type { Resource } from '../../../contract/types.ts';
import { dataOf } from './replies.ts';
import { type MadeIds, referencesIn, sampleOf } from './samples.ts';
import type { Writer } from './writes.ts';

/** The habits that a service was found to have, or not to have. Behaviours that its replies leave open are left out. */
export type Behaviours = Partial<Readonly<Record<Behaviour, boolean>>>;

/** A field that no service knows. */
const strange = 'x_telctl_conformance';

/** Finds out what only writing shows, on records that were made for it. `ownId` is an id of nobody. */
export async function learnBehaviours(writer: Writer, made: MadeIds, ownId: string): Promise<Behaviours> {
  const plain = resources.find((each) => isPlain(each, made));
  const asked: readonly (() => Promise<Behaviours>)[] = [
    ...(plain === undefined
      ? []
      : [() => onCreates(writer, plain, ownId), () => onPatches(writer, plain, made)]),
    () => onNumbers(writer, made),
  ];
  let habits: Behaviours = {};
  for (const ask of asked) habits = { ...habits, ...(await ask().catch(leftOpen)) };
  return habits;
}

/** A lost reply leaves open what it would have said; only Ctrl-C ends the run. */
function leftOpen(error: unknown): Behaviours {
  if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
  return {};
}

/** A kind of record that clashes with no other, needs no other, and was made. */
const isPlain = ({ name, kind, unique, idParameter }: Resource, made: MadeIds): boolean =>
  kind === 'collection' &&
  unique.length === 0 &&
  referencesIn(name) === 0 &&
  idParameter !== undefined &&
  made.has(idParameter) &&
  ['create', 'get', 'patch', 'delete'].every((verb) => operationOf(name, verb) !== undefined);

/** Sends an id of its own with a create, and again where it was taken. What comes of it is deleted. */
async function onCreates(
  { send, secret }: Writer,
  { name, idParameter = '' }: Resource,
  ownId: string,
): Promise<Behaviours> {
  const [create, remove] = [operationOf(name, 'create'), operationOf(name, 'delete')];
  if (create === undefined || remove === undefined) return {};
  const data = { ...sampleOf(name, new Map(), secret), id: ownId };
  /** Creates the record; gives its id where it was stored. */
  const created = async () => {
    const incoming = await send(create, {}, data);
    const record = incoming.status < 300 ? dataOf(incoming) : undefined;
    const id = isObject(record) && typeof record.id === 'string' ? record.id : undefined;
    return { status: incoming.status, id };
  };
  const ids = new Set<string>();
  const first = await created();
  if (first.id === undefined) return {};
  ids.add(first.id);
  const isTaken = first.id === ownId;
  const second = isTaken ? await created() : undefined;
  if (second?.id !== undefined) ids.add(second.id);
  for (const id of ids) await send(remove, { [idParameter]: id });
  return {
    takes_own_ids: isTaken,
    ...(second === undefined ? {} : { refuses_taken_ids: second.status === 409 }),
  };
}

/** Changes a field of its own on a record, in the changes in which services differ. */
async function onPatches(
  { send }: Writer,
  { name, idParameter = '' }: Resource,
  made: MadeIds,
): Promise<Behaviours> {
  const [patch, get] = [operationOf(name, 'patch'), operationOf(name, 'get')];
  const id = made.get(idParameter);
  if (patch === undefined || get === undefined || id === undefined) return {};
  const path = { [idParameter]: id };
  /** The field after it was set to something; `undefined` where it is gone, `null` where nobody can tell. */
  const after = async (value: Json): Promise<{ readonly field: Json | undefined } | undefined> => {
    const written = await send(patch, path, { [strange]: value });
    if (written.status >= 300) return undefined;
    const read = await send(get, path);
    const record = dataOf(read.status < 300 ? read : written);
    return isObject(record) ? { field: record[strange] } : undefined;
  };
  const wrong = await send(patch, path, {}, { 'if-match': '"no-such-revision"' });
  const conditional: Behaviours =
    wrong.status === 412 ? { honours_if_match: true } : wrong.status < 300 ? { honours_if_match: false } : {};
  const kept = await after({ kept: true });
  if (kept === undefined) return conditional;
  if (!isObject(kept.field)) return { ...conditional, keeps_unknown_fields: false };
  const emptied = await after({});
  const removed = await after(null);
  return {
    ...conditional,
    keeps_unknown_fields: true,
    ...(emptied === undefined ? {} : { patch_replaces_by_empty_objects: !holdsAnything(emptied.field) }),
    ...(removed === undefined ? {} : { patch_removes_by_null: removed.field === undefined }),
  };
}

const holdsAnything = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

/** A number of nobody, as people write it and as calls name it. */
const written = '+1 (415) 555-0124';
const dialled = '+14155550124';

/** Gives the callflow that was made a number as people write it. */
async function onNumbers({ send }: Writer, made: MadeIds): Promise<Behaviours> {
  const patch = operationOf('callflows', 'patch');
  const id = made.get('callflow_id');
  if (patch === undefined || id === undefined) return {};
  const incoming = await send(patch, { callflow_id: id }, { numbers: [written] });
  const record: Json | undefined = dataOf(incoming);
  const numbers: JsonObject[string] = isObject(record) ? record.numbers : undefined;
  if (incoming.status >= 300 || !Array.isArray(numbers)) return {};
  if (numbers.includes(dialled)) return { normalises_numbers: true };
  return numbers.includes(written) ? { normalises_numbers: false } : {};
}
