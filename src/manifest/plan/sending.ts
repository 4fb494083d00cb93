import type { JsonObject } from '../../base/json.ts';
import type { Kind } from '../kinds.ts';
import { mergePatch } from '../merge-patch.ts';
import type { Step } from '../plan.ts';
import { sendable } from '../sendable.ts';

/** The part that is sent, or the whole record where the service takes no parts. */
export function sending(
  kind: Kind,
  record: JsonObject,
  next: JsonObject,
  wanted: JsonObject,
): Required<Pick<Step, 'send' | 'by'>> {
  if (kind.calls.patch) {
    const patch = mergePatch(record, next);
    // A new username is taken only together with a password (Conventions, users).
    const password = kind.name === 'users' && Object.hasOwn(patch, 'username') ? wanted.password : undefined;
    return { send: password === undefined ? patch : { ...patch, password }, by: 'patch' };
  }
  // Service plans are replaced field by field (Conventions, service plans).
  if (kind.name === 'services') return { send: sendable(kind, mergePatch(record, next)), by: 'replace' };
  // Fields that the service keeps to itself would be lost if they were not sent again.
  const kept = Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => value !== null && !Object.hasOwn(record, key)),
  );
  return { send: sendable(kind, { ...kept, ...next }), by: 'replace' };
}
