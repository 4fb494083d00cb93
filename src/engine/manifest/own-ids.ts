import { hash } from 'node:crypto';
import { clearDoubt, createHint, Failure, isLost, nextStep } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { commandWordsOf } from '../../contract/resource.ts';
import type { Resource } from '../../contract/types.ts';

/** Number of ids that are tried: the id of a deleted record may stay taken and be readable by nobody. */
const triesAtMost = 3;

/**
 * Ids that a new record may bring along, in the order in which they are tried. They follow from what the record is
 * alone, so that everybody who makes it makes the same one, and the service refuses it a second time.
 */
export function ownIdsOf(origin: readonly string[], taken: ReadonlySet<string>): readonly string[] {
  const ids = Array.from({ length: triesAtMost }, (_, index) =>
    hash('sha256', JSON.stringify([...origin, index]), 'hex').slice(0, 32),
  );
  return ids.filter((id) => !taken.has(id));
}

interface SetOf {
  readonly accountId: string | undefined;
  readonly set: string;
}

/** Ids that an object of a manifest set may bring along, by the object's key, as `ownIdsOf` says. */
export const setIdsOf = (
  { accountId = '', set }: SetOf,
  key: string,
  taken: ReadonlySet<string> = new Set(),
): readonly string[] => ownIdsOf(['manifest', accountId, set, key], taken);

/** Tells whether an object was made by telctl for a manifest set, on whatever machine: its id follows from its name there. */
export const isMadeFor = (owner: SetOf, key: string, id: string): boolean =>
  /^[0-9a-f]{32}$/.test(id) && setIdsOf(owner, key).includes(id);

/** Ids that a new record may bring along; none: the service gives the ids. */
export interface OwnIds {
  readonly ids: readonly string[];
  /** The service was seen to take such ids: a create may be sent again. */
  readonly isSure: boolean;
  /** Notes that the service refuses a create that brings an id. */
  refused(): Promise<void>;
}

export const noOwnIds: OwnIds = { ids: [], isSure: true, refused: async () => undefined };

/** Facts of the service, as replies show them. */
interface Facts {
  learned(): { readonly takesOwnIds?: boolean };
  learn(facts: { readonly takesOwnIds: boolean }): Promise<void>;
}

/**
 * Returns what is known of a service's way with ids when a create is sent. A create may bring an id to a service of
 * which nothing is known yet: one that gives the ids itself drops it (Conventions, Life cycle of a record).
 */
export function knownOwnIds({ learned, learn }: Facts, ids: () => readonly string[]): OwnIds {
  const { takesOwnIds } = learned();
  if (takesOwnIds === false) return noOwnIds;
  return { ids: ids(), isSure: takesOwnIds === true, refused: () => learn({ takesOwnIds: false }) };
}

/** Calls and checks for creating a record under an id of its own. `T`: what the service answers with a record. */
export interface OwnIdCalls<T> {
  /** Creates the record, with an id of its own or, where the service refuses such a field, without. */
  create(id: string | undefined): Promise<T>;
  read(id: string): Promise<T | undefined>;
  /** Tells whether a record that was read is the one that is to be made. */
  isSame(read: T): boolean;
  /** Returns the failure for a record of that id which is another one. */
  other(id: string): Failure;
}

/** A record that is there. `found`: no reply said so, or it was there already; it was read. */
export interface OwnIdEnd<T> {
  readonly made: T;
  readonly found?: 'no-reply' | 'there';
  /** Charges that were accepted with the request whose reply was lost, as text. */
  readonly accepted?: string | undefined;
}

/**
 * Creates a record under the first of its ids that it can have. After a lost reply, or a refusal of the id, the record
 * is read; where it is not sure that the service takes ids, the caller looks for it instead. Throws `Failure`.
 */
export async function createWithOwnId<T>(
  { ids, isSure, refused }: OwnIds,
  calls: OwnIdCalls<T>,
): Promise<OwnIdEnd<T>> {
  let refusal: unknown;
  for (const id of ids) {
    try {
      return await createUnder(id, calls, isSure);
    } catch (error) {
      if (!isSure && isForeignField(error)) {
        await refused();
        return { made: await calls.create(undefined) };
      }
      // A record that was deleted may keep its id.
      const isIdTaken =
        error instanceof Failure && error.status === 409 && error.code === 'datastore_conflict';
      if (!isIdTaken) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

/** Tells whether the service refused the id as a field that it does not take. */
function isForeignField(error: unknown): boolean {
  if (!(error instanceof Failure) || error.status !== 400 || !isObject(error.details)) return false;
  const { fields } = error.details;
  return Array.isArray(fields) && fields.some((each) => isObject(each) && each.field === 'id');
}

async function createUnder<T>(
  id: string,
  { create, read, isSame, other }: OwnIdCalls<T>,
  isSure: boolean,
): Promise<OwnIdEnd<T>> {
  const once = async (): Promise<OwnIdEnd<T>> => {
    try {
      return { made: await create(id) };
    } catch (error) {
      if (!(error instanceof Failure) || (error.kind !== 'conflict' && !isLost(error))) throw error;
      const there = await read(id).catch((trouble: unknown) => {
        // Where nobody can look, the create is what is in doubt.
        throw trouble instanceof Failure ? error : trouble;
      });
      if (there === undefined) throw error;
      if (!isSame(there)) throw other(id);
      return { made: there, found: isLost(error) ? 'no-reply' : 'there', accepted: error.accepted };
    }
  };
  try {
    return await once();
  } catch (error) {
    // What accepted charges is never sent twice; all else makes no second record under the same id.
    if (!isSure || !(error instanceof Failure) || !isLost(error) || error.accepted !== undefined) throw error;
    return await once().catch((again: unknown) => {
      throw again instanceof Failure && again.status !== undefined && isLost(again)
        ? clearDoubt(again)
        : again;
    });
  }
}

/** Returns the failure about a record that has the id which telctl gives to another one. */
export const takenByOther = (resource: Resource, label: string, id: string): Failure =>
  new Failure(
    'conflict',
    `${label} was not created: the id that it would have, ${id}, is that of another ${resource.singular}, which was left as it is.`,
    {
      hint: createHint`Somebody made it just now, or changed it since. Look at it: ${nextStep`${commandWordsOf(resource)} get ${id}`}. Then repeat.`,
    },
  );
