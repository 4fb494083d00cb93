import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, omitUndefined, textsIn } from '../../base/json.ts';
import { systemCode } from '../../base/read-errors.ts';
import type { BodyAcceptance } from '../api/build-request.ts';

/** `conformance --write` detects these behaviours. */
const behaviourEntries = [
  ['takes_own_ids', 'An id sent with a create becomes the id of the record'],
  ['refuses_taken_ids', 'A second create with the same id is refused with 409'],
  ['patch_replaces_by_empty_objects', 'An empty object in a PATCH empties the stored one'],
  ['patch_removes_by_null', 'null in a PATCH removes a field'],
  ['honours_if_match', 'A write with a wrong If-Match is refused with 412'],
  ['normalises_numbers', 'A formatted number of a callflow is stored in the international form'],
  ['keeps_unknown_fields', 'A field that the contract does not know is stored'],
] as const;

export type ServiceBehaviour = (typeof behaviourEntries)[number][0];

/** In display order. */
export const behaviours: ReadonlyMap<ServiceBehaviour, string> = new Map(behaviourEntries);

export interface ConformanceFacts {
  /** ISO form. */
  readonly at: string;
  readonly by: string;
  /** Ids of operations that are missing, or that respond in another form. */
  readonly notOffered: readonly string[];
  readonly otherShape: readonly string[];
  /** Ids of changes that refuse the current revision, and of patches that only merge top-level fields. */
  readonly refusesTags?: readonly string[] | undefined;
  readonly mergesOneLevel?: readonly string[] | undefined;
  /** A missing behaviour was not tested. */
  readonly habits: Readonly<Partial<Record<ServiceBehaviour, boolean>>>;
}

/** Facts about a service that `conformance` or normal use detected. */
export interface LearnedFacts {
  readonly acceptsCharges?: BodyAcceptance;
  /** API keys are replaced by PUT, although the specification documents POST. */
  readonly rotatesKeysByPut?: boolean;
  /** An id in the data of a create becomes the record's id. */
  readonly takesOwnIds?: boolean;
  readonly conformance?: ConformanceFacts;
}

const places: readonly BodyAcceptance[] = ['beside-data', 'in-data'];

/** Ignores invalid facts, because they will be detected again. */
export function parseFacts(value: Json | undefined): LearnedFacts {
  const { acceptsCharges, rotatesKeysByPut, takesOwnIds, conformance } = isObject(value) ? value : {};
  return omitUndefined({
    acceptsCharges: places.find((each) => each === acceptsCharges),
    rotatesKeysByPut: typeof rotatesKeysByPut === 'boolean' ? rotatesKeysByPut : undefined,
    takesOwnIds: typeof takesOwnIds === 'boolean' ? takesOwnIds : undefined,
    conformance: parseConformance(conformance),
  });
}

function parseConformance(value: Json | undefined): ConformanceFacts | undefined {
  if (!isObject(value) || typeof value.at !== 'string' || typeof value.by !== 'string') return undefined;
  const known = isObject(value.habits) ? Object.entries(value.habits) : [];
  return {
    at: value.at,
    by: value.by,
    notOffered: textsIn(value.notOffered),
    otherShape: textsIn(value.otherShape),
    refusesTags: textsIn(value.refusesTags),
    mergesOneLevel: textsIn(value.mergesOneLevel),
    habits: Object.fromEntries(
      known.filter(
        ([name, is]) => behaviourEntries.some(([each]) => each === name) && typeof is === 'boolean',
      ),
    ),
  };
}

export interface FactKeeper {
  learned(): LearnedFacts;
  learn(facts: LearnedFacts): Promise<void>;
}

export function keepFacts(
  first: LearnedFacts = {},
  save: (news: LearnedFacts) => Promise<void> = async () => undefined,
): FactKeeper {
  let known = first;
  return {
    learned: () => known,
    async learn(facts) {
      const news = { ...known, ...facts };
      if (isDeepStrictEqual(news, known)) return;
      known = news;
      await save(facts);
    },
  };
}

/** For sessions without a profile. Results of `conformance` depend on the user, so they are not stored. */
export function cachedFacts({ files, folders }: Host, baseUrl: string): FactKeeper {
  const name = createHash('sha256').update(baseUrl).digest('hex');
  const path = join(folders.cache, 'facts', `${name}.json`);
  const readCached = (): LearnedFacts => {
    try {
      const file = files.readText(path);
      return file === undefined || file.isForeign ? {} : parseFacts(JSON.parse(file.text));
    } catch (error) {
      if (error instanceof SyntaxError || systemCode(error) !== undefined) return {};
      throw error;
    }
  };
  return keepFacts(readCached(), async ({ conformance: _, ...news }) => {
    if (Object.keys(news).length === 0) return;
    try {
      files.writePrivate(path, `${JSON.stringify({ ...readCached(), ...news })}\n`);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
  });
}
