import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Kind } from '../kinds.ts';
import type { Service } from './service.ts';

/** The objects of one kind as lists show them. */
export interface KindList {
  readonly kind: Kind;
  /** Summaries with ids; what an account has once stands there as one, named by its kind. */
  readonly items: readonly JsonObject[];
  /** Why there may be more than these. */
  readonly missing?: string;
}

/** Failures after which nothing else would be read either. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/** Lists a kind. Throws `Failure` where nothing can be read. */
export async function listOf(service: Service, kind: Kind): Promise<KindList> {
  if (kind.shape === 'one') return { kind, items: [{ id: kind.name }] };
  try {
    const listing = await service.list(kind);
    return listing
      ? { kind, items: listing.items }
      : { kind, items: [], missing: 'the service has no list of them' };
  } catch (error) {
    return { kind, items: [], missing: reason(error) };
  }
}

/**
 * A record, `undefined` where it was deleted meanwhile, or why it cannot be read. Throws `Failure` where nothing can
 * be read.
 */
export async function recordOf(
  service: Service,
  kind: Kind,
  id: string,
): Promise<JsonObject | undefined | string> {
  try {
    const got = await service.get(kind, id);
    if (got.found === 'record') return got.record ?? 'the service answered with something that is no record';
    return got.found === 'none' ? undefined : 'the service has no way to read them';
  } catch (error) {
    return reason(error);
  }
}

/** Why one thing cannot be read. Throws on what says that nothing can: no sign-in, no service, Ctrl-C. */
function reason(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  if (hopeless.has(error.kind) && error.status !== 403) throw error;
  return error.message;
}
