import { isObject } from '../base/json.ts';

/**
 * Refusals that compatible services answer with 500 (Conventions, Catalogue of system errors): what was asked for
 * clashes with the state of the account, and the same request again is refused again.
 */
const finalCodes: ReadonlySet<unknown> = new Set([
  'account_cant_create_tree',
  'account_has_descendants',
  'account_has_active_port',
  'transition_errors',
  'plan_is_not_assigned',
]);

/** The word of every refusal of changes of numbers, whatever the reason (Conventions, Number errors). */
const numberRefusal = 'unspecified_fault';
const ofNumbers = /\/phone_numbers(?:\/|$)/;

/** True for a refused change of phone numbers, of which the service tells no reason. */
export const isUnexplained = ({ status, text }: Refused, path: string): boolean =>
  status === 500 && ofNumbers.test(path.split('?')[0] ?? '') && text.includes(`"${numberRefusal}"`);

/** A reply, as far as it is looked at. */
interface Refused {
  readonly status: number;
  readonly text: string;
}

/** True for a 500 that is a refusal rather than trouble of the service: it is not sent again. */
export function isFinalRefusal({ status, text }: Refused): boolean {
  if (status !== 500) return false;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && [body.code, body.message, body.error].some((word) => finalCodes.has(word));
  } catch {
    // An error without a JSON body is trouble of the service.
    return false;
  }
}
