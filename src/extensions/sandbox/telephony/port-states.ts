import { textAt } from '../../../base/json.ts';
import { isSuper } from '../identity/principal.ts';
import { accountOf, principalOf, type ServiceRequest } from '../requests/service-request.ts';

export const portStates = [
  'unconfirmed',
  'submitted',
  'pending',
  'scheduled',
  'completed',
  'rejected',
  'canceled',
] as const;

export type PortState = (typeof portStates)[number];

export const isPortState = (word: string): boolean => portStates.some((state) => state === word);

/** Those who move a request: anyone of the account, or the port authority alone. */
type Mover = 'tree' | 'authority';

const moves: Readonly<Record<PortState, Readonly<Partial<Record<PortState, Mover>>>>> = {
  unconfirmed: {},
  submitted: { unconfirmed: 'tree', rejected: 'tree' },
  pending: { submitted: 'authority' },
  scheduled: { pending: 'authority' },
  completed: { pending: 'authority', scheduled: 'authority', rejected: 'authority' },
  rejected: { submitted: 'authority', pending: 'authority', scheduled: 'authority' },
  canceled: {
    unconfirmed: 'tree',
    submitted: 'authority',
    pending: 'authority',
    scheduled: 'authority',
    rejected: 'authority',
  },
};

/** Returns who may move a request from one state to another; `undefined` where there is no such move. */
export const moverOf = (from: PortState, to: PortState): Mover | undefined => moves[to][from];

export const needsAuthority = (to: PortState): boolean => !Object.values(moves[to]).includes('tree');

const groups = new Map<string, readonly PortState[]>([
  ['active', ['unconfirmed', 'submitted', 'pending', 'scheduled', 'rejected']],
  ['progressing', ['submitted', 'pending', 'scheduled']],
  ['suspended', ['unconfirmed', 'rejected']],
  ['completed', ['completed', 'canceled']],
  ['all', portStates],
]);

/** The states that a list is asked for: a group, or states with commas between. */
export const statesOf = (types: string): readonly string[] =>
  types.split(',').flatMap((word): readonly string[] => groups.get(word.trim()) ?? [word.trim()]);

/** A request in one of these keeps its numbers from being asked for again. */
export const isPortOpen = (state: string): boolean => statesOf('active').includes(state);

/** The account may change a request in these, and delete it in these and when it is canceled. */
export const isEditable = (state: string): boolean => statesOf('suspended').includes(state);

/** Tells whether the caller carries out the account's port requests: its reseller, or the super administrator. */
export function isAuthority(call: ServiceRequest): boolean {
  const caller = principalOf(call);
  const { id, hidden } = accountOf(call);
  return isSuper(caller) || (caller.account.id !== id && textAt(hidden, 'reseller_id') === caller.account.id);
}
