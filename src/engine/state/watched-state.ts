import { Failure, type FailureKind } from '../../base/failure.ts';
import { unwritable } from './account-file.ts';
import type { State } from './state.ts';

/** Failures of the state during one command. */
export interface StateTroubles {
  /** Kinds of all of them, whatever was made of them. */
  readonly kinds: Set<FailureKind>;
  /** The first that nobody was told of: it came with the end of what was done. */
  untold: Failure | undefined;
}

/** Methods that end something: what was done before stays done, so that they never fail what they end. */
const ends: ReadonlySet<PropertyKey> = new Set(['close', 'release']);

/**
 * Returns the same state, whose failures are noted on their way. This is the one place through which all of them come,
 * so that one rule holds for every command: where something was sent to the service, its exit code says that some was
 * done, and its result is shown all the same.
 */
export function watchedState(state: State, troubles: StateTroubles): State {
  const noted = (error: unknown, method: PropertyKey): undefined => {
    const failure = error instanceof Failure ? error : unwritable(state.shown, error);
    if (!(failure instanceof Failure)) throw failure;
    troubles.kinds.add(failure.kind);
    if (!ends.has(method)) throw failure;
    troubles.untold ??= failure;
  };
  const watched = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null || !holdsMethods(value)) return value;
    return new Proxy(value, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return watched(member);
        return (...given: readonly unknown[]): unknown => {
          try {
            const result: unknown = Reflect.apply(member, target, given);
            if (!(result instanceof Promise)) return result === target ? watched(target) : watched(result);
            return result.then(watched, (error: unknown) => noted(error, name));
          } catch (error) {
            return noted(error, name);
          }
        };
      },
    });
  };
  return watched(state);
}

/** True for a part of the state, and for pages that are read one by one; false for what was kept in it. */
const holdsMethods = (value: object): boolean =>
  Symbol.asyncIterator in value || Object.values(value).some((member) => typeof member === 'function');
