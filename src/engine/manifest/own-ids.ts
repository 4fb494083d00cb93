import { hash } from 'node:crypto';
import { clearDoubt, createHint, Failure, isLost, nextStep } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { commandWordsOf } from '../../contract/resource.ts';
import type { Resource } from '../../contract/types.ts';

/** A deleted record can keep its id, so several ids are tried. */
const triesAtMost = 3;

/** The ids depend only on `origin`, so that every user creates a record with the same id. */
export function deriveIds(origin: readonly string[], taken: ReadonlySet<string>): readonly string[] {
  const ids = Array.from({ length: triesAtMost }, (_, index) =>
    hash('sha256', JSON.stringify([...origin, index]), 'hex').slice(0, 32),
  );
  return ids.filter((id) => !taken.has(id));
}

interface SetOf {
  readonly accountId: string | undefined;
  readonly set: string;
}

export const deriveSetIds = (
  { accountId = '', set }: SetOf,
  key: string,
  taken: ReadonlySet<string> = new Set(),
): readonly string[] => deriveIds(['manifest', accountId, set, key], taken);

/** The id of an object that telctl created is derived from its key. It is the same on every machine. */
export const isMadeFor = (owner: SetOf, key: string, id: string): boolean =>
  /^[0-9a-f]{32}$/.test(id) && deriveSetIds(owner, key).includes(id);

/** Empty if the service chooses the id. */
export interface OwnIds {
  readonly ids: readonly string[];
  /** The service accepts such ids, so a create can be sent again. */
  readonly isSure: boolean;
  /** Called if the service refuses a create with an id. */
  refused(): Promise<void>;
}

export const noOwnIds: OwnIds = { ids: [], isSure: true, refused: async () => undefined };

interface Facts {
  learned(): { readonly takesOwnIds?: boolean };
  learn(facts: { readonly takesOwnIds: boolean }): Promise<void>;
}

/** Also sends ids to unknown services, which ignore ids that they do not accept. */
export function knownOwnIds({ learned, learn }: Facts, ids: () => readonly string[]): OwnIds {
  const { takesOwnIds } = learned();
  if (takesOwnIds === false) return noOwnIds;
  return { ids: ids(), isSure: takesOwnIds === true, refused: () => learn({ takesOwnIds: false }) };
}

/** `T` is a response. */
export interface OwnIdCalls<T> {
  /** The id is `undefined` if the service refuses the field. */
  create(id: string | undefined): Promise<T>;
  read(id: string): Promise<T | undefined>;
  /** Returns true if `read` is the record to create. */
  isSame(read: T): boolean;
  other(id: string): Failure;
}

/** `found` is true if the record was read, because the response was lost or the record existed. */
export interface OwnIdEnd<T> {
  readonly made: T;
  readonly found?: 'no-reply' | 'there';
  /** Charges of a request whose response was lost. */
  readonly accepted?: string | undefined;
}

/** Reads the record after a lost response or a conflict. Throws `Failure`. */
export async function createWithOwnId<T>(
  { ids, isSure, refused }: OwnIds,
  calls: OwnIdCalls<T>,
): Promise<OwnIdEnd<T>> {
  let refusal: unknown;
  for (const id of ids) {
    try {
      return await createUnder(id, calls, isSure);
    } catch (error) {
      if (!isSure && refusesId(error)) {
        await refused();
        return { made: await calls.create(undefined) };
      }
      // A deleted record can keep its id.
      const isIdTaken =
        error instanceof Failure && error.status === 409 && error.code === 'datastore_conflict';
      if (!isIdTaken) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function refusesId(error: unknown): boolean {
  if (!(error instanceof Failure) || error.status !== 400 || !isObject(error.details)) return false;
  const { fields } = error.details;
  return Array.isArray(fields) && fields.some((each) => isObject(each) && each.field === 'id');
}

async function createUnder<T>(
  id: string,
  { create, read, isSame, other }: OwnIdCalls<T>,
  isSure: boolean,
): Promise<OwnIdEnd<T>> {
  const tryCreate = async (): Promise<OwnIdEnd<T>> => {
    try {
      return { made: await create(id) };
    } catch (error) {
      if (!(error instanceof Failure) || (error.kind !== 'conflict' && !isLost(error))) throw error;
      const there = await read(id).catch((trouble: unknown) => {
        // The create is in doubt if the record cannot be read.
        throw trouble instanceof Failure ? error : trouble;
      });
      if (there === undefined) throw error;
      if (!isSame(there)) throw other(id);
      return { made: there, found: isLost(error) ? 'no-reply' : 'there', accepted: error.accepted };
    }
  };
  try {
    return await tryCreate();
  } catch (error) {
    // A create that accepted charges is never sent again. In other cases, the id prevents a second record.
    if (!isSure || !(error instanceof Failure) || !isLost(error) || error.accepted !== undefined) throw error;
    return await tryCreate().catch((again: unknown) => {
      throw again instanceof Failure && again.status !== undefined && isLost(again)
        ? clearDoubt(again)
        : again;
    });
  }
}

export const idTakenFailure = (resource: Resource, label: string, id: string): Failure =>
  new Failure(
    'conflict',
    `${label} was not created, because another ${resource.singular} has its id, ${id}. That ${resource.singular} was not changed.`,
    {
      hint: createHint`It was created or changed by someone else. Look at it: ${nextStep`${commandWordsOf(resource)} get ${id}`}. Then try again.`,
    },
  );
