import { Failure } from '../../base/failure.ts';
import { isObject, type Json } from '../../base/json.ts';
import type { QueryParameters } from '../../client/api/api.ts';
import type { IncomingReply } from '../../client/api/exchange.ts';
import { operationById, operations, resources } from '../../contract/catalogue.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import type { Operation } from '../../contract/types.ts';
import { isOfferedIn, judge, type Known, notTried, type Verdict, type Verdicts } from './judge.ts';
import { refusalShape, repliedData } from './replies.ts';
import type { MadeIds } from './writes.ts';

export type Ask = (operation: Operation, path: Ids, query: QueryParameters) => Promise<IncomingReply>;

type Ids = Readonly<Record<string, string>>;

export interface ProbeReader extends Known {
  readonly ask: Ask;
  /** The token of the session, for the operation that checks it. */
  readonly token: string;
  readonly made?: MadeIds;
  progress(done: number, total: number): void;
}

/** All read operations, in an order that provides ids for later operations. */
const reads = operations
  .filter(({ method }) => method === 'GET')
  .toSorted((one, other) => parametersOf(one).length - parametersOf(other).length);

function parametersOf({ path }: Operation): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'account_id' ? [] : [name]));
}

/** Sends all or selected read operations, one after another. */
export async function readAll(
  reader: ProbeReader,
  isMeant: (operation: Operation) => boolean = () => true,
): Promise<Verdicts> {
  const found = new Map<string, Verdict>();
  const ids = new Map<string, string>();
  const meant = reads.filter(isMeant);
  for (const [index, operation] of meant.entries()) {
    reader.progress(index, meant.length);
    const path = pathFor(operation, ids, found, reader.made);
    if (typeof path === 'string') {
      found.set(operation.id, notTried(path));
      continue;
    }
    const asked = await sendRead(reader, operation, path);
    if ('result' in asked) {
      found.set(operation.id, asked);
      continue;
    }
    found.set(operation.id, judge(operation, asked, reader));
    const id = asked.status < 300 ? listedIds(repliedData(asked), operation)[0] : undefined;
    if (id !== undefined) ids.set(operation.path, id);
  }
  return found;
}

/** Sends a read. A lost reply is a finding, unless other requests fail too. */
async function sendRead(
  { ask, token }: ProbeReader,
  operation: Operation,
  path: Ids,
): Promise<IncomingReply | Verdict> {
  const query = Object.fromEntries(
    (operation.query ?? []).flatMap(({ name, required }) => (required ? [[name, token]] : [])),
  );
  try {
    return await ask(operation, path, query);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return error.kind === 'invalid'
      ? notTried('the service listed an id that is not valid in a path')
      : { result: 'failed', note: 'no reply came' };
  }
}

/**
 * Returns the formats of refusals of unknown paths: of an account, below an account, and outside of
 * accounts.
 */
export async function refusalsOfUnknownPaths(ask: Ask, nonsense: string): Promise<ReadonlySet<string>> {
  const get = operationById('accounts.get');
  const paths = [`${get.path}/${nonsense}`, `${get.path}/${nonsense}/${nonsense}`, `/${nonsense}`];
  const shapes = new Set<string>();
  for (const path of paths) {
    const incoming = await ask({ ...get, path }, {}, {});
    if (incoming.status >= 300) shapes.add(refusalShape(incoming));
  }
  return shapes;
}

/** Fills in path parameters. Returns the reason if a parameter is unknown. */
function pathFor(
  operation: Operation,
  ids: ReadonlyMap<string, string>,
  found: Verdicts,
  made: MadeIds | undefined,
): Ids | string {
  const path: Record<string, string> = {};
  for (const name of parametersOf(operation)) {
    const list = listFor(operation, name);
    const id = made?.get(name) ?? (list === undefined ? undefined : ids.get(list.path));
    if (id === undefined) return list === undefined ? 'no list contains its ids' : withoutId(list, found);
    path[name] = id;
  }
  return path;
}

const withoutId = (list: Operation, found: Verdicts): string =>
  isOfferedIn(found, list.id)
    ? `no record to read: ${list.id} is empty`
    : `no id is known: ${list.id} is empty`;

/** Returns the read that lists ids of a parameter: by its path, or by the resource of the parameter. */
function listFor({ path }: Operation, parameter: string): Operation | undefined {
  const before = path.slice(0, path.indexOf(`/{${parameter}}`));
  return (
    reads.find((each) => each.path === before && each.reply.kind !== 'record') ??
    resources
      .find(({ idParameter, name }) => idParameter === parameter && name !== accounts.name)
      ?.operations.find(({ verb }) => verb === 'list')
  );
}

function listedIds(data: Json | undefined, { listed }: Pick<Operation, 'listed'> = {}): readonly string[] {
  if (isObject(data)) {
    const held = listed?.as === 'map' ? data[listed.key] : undefined;
    return isObject(held) ? Object.keys(held) : [];
  }
  if (!Array.isArray(data)) return [];
  return data.flatMap((item: Json): readonly string[] => {
    if (typeof item === 'string') return [item];
    if (!isObject(item)) return [];
    const members = listed?.as === 'groups' ? item[listed.key] : undefined;
    if (Array.isArray(members)) return listedIds(members);
    return typeof item.id === 'string' ? [item.id] : [];
  });
}
