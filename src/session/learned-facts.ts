import type { AcceptancePlace } from '../api/request-body.ts';
import { Failure } from '../contract/failure.ts';
import { isObject, type Json } from '../contract/json.ts';
import type { Host } from '../host/host.ts';
import type { Profile } from './profile.ts';
import { changeProfiles } from './write-profiles.ts';

/** Facts about a service that its use brought to light. Nothing depends on them but how many requests it takes. */
export interface LearnedFacts {
  /** Where it takes the acceptance of charges. */
  readonly acceptsCharges?: AcceptancePlace;
}

const places: readonly AcceptancePlace[] = ['beside-data', 'in-data'];

/** The facts in a stored profile. What is not understood is left out: it will be learned again. */
export function parseFacts(value: Json | undefined): LearnedFacts {
  const { acceptsCharges } = isObject(value) ? value : {};
  const place = places.find((each) => each === acceptsCharges);
  return place === undefined ? {} : { acceptsCharges: place };
}

/** The learned facts of one session. */
export interface FactKeeper {
  learned(): LearnedFacts;
  /** Adds facts. Those that are known already cost nothing. */
  learn(facts: LearnedFacts): Promise<void>;
}

/** Keeps facts in memory, and hands them to `save` where there is news. */
export function keepFacts(
  first: LearnedFacts = {},
  save: (facts: LearnedFacts) => Promise<void> = async () => undefined,
): FactKeeper {
  let known = first;
  return {
    learned: () => known,
    async learn(facts) {
      const { acceptsCharges = known.acceptsCharges } = facts;
      if (acceptsCharges === known.acceptsCharges) return;
      known = { ...known, ...facts };
      await save(known);
    },
  };
}

/** Stores facts with a profile, unless it is signed in to another service by now. Where that fails, nothing is lost. */
export async function saveFacts(
  host: Host,
  { name, baseUrl }: Profile,
  learned: LearnedFacts,
): Promise<void> {
  try {
    await changeProfiles(host, (stored) => {
      const profile = stored.profiles.get(name);
      if (profile?.baseUrl !== baseUrl) return stored;
      return { ...stored, profiles: new Map(stored.profiles).set(name, { ...profile, learned }) };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
