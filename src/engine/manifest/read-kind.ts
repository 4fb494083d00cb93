import { bounded } from '../../base/bounded.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Kind } from './kinds.ts';
import type { Service } from './service.ts';

export interface KindList {
  readonly kind: Kind;
  /** Summaries with ids; what an account has once stands there as one, named by its kind. */
  readonly items: readonly JsonObject[];
  /** Reason why there may be more than these. */
  readonly missing?: string;
}

/** A list, or why there is none. */
interface Listed extends KindList {
  readonly failure?: Failure;
}

/** Failures after which nothing else would be read either. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/**
 * Lists kinds, at most so many at once; a list that the service refuses or fails at does not end the others. Throws
 * `Failure` where nothing can be read.
 */
export async function listsOf(
  service: Service,
  kinds: readonly Kind[],
  concurrency: number,
): Promise<readonly KindList[]> {
  const listed = await bounded(kinds, concurrency, (kind) => listedKind(service, kind));
  const [first] = listed;
  if (first?.failure && listed.every(({ failure }) => failure?.kind === 'unavailable')) throw first.failure;
  return listed.map(({ failure: _, ...list }) => list);
}

async function listedKind(service: Service, kind: Kind): Promise<Listed> {
  if (kind.shape === 'one') return { kind, items: [{ id: kind.name }] };
  try {
    const listing = await service.list(kind);
    return listing
      ? { kind, items: listing.items }
      : { kind, items: [], missing: 'the service has no list of them' };
  } catch (error) {
    const failure = unread(error);
    return { kind, items: [], missing: failure.message, failure };
  }
}

/** A record, or why it cannot be read. Throws `Failure` where nothing can be read. */
export async function recordOf(
  service: Service,
  kind: Kind,
  id: string,
): Promise<JsonObject | undefined | string> {
  try {
    const got = await service.get(kind, id);
    if (got.found === 'record')
      return got.record ?? 'the service answered with something that is not a record';
    return got.found === 'none' ? undefined : 'the service has no way to read them';
  } catch (error) {
    return unread(error).message;
  }
}

/**
 * Returns the reason why one thing cannot be read. Throws errors that concern every read: no sign-in, no connection,
 * a rate limit, Ctrl-C. A 403 and a server error are about that one thing, as long as others are answered.
 */
function unread(error: unknown): Failure {
  if (!(error instanceof Failure)) throw error;
  const { status = 0 } = error;
  if (hopeless.has(error.kind) && status !== 403 && status < 500) throw error;
  return error;
}
