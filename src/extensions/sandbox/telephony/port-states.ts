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

/** Who can make a transition: everyone in the account's tree, or only the port authority. */
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

/** Returns who can make a transition. Returns `undefined` if the transition does not exist. */
export const moverOf = (from: PortState, to: PortState): Mover | undefined => moves[to][from];

export const needsAuthority = (to: PortState): boolean => !Object.values(moves[to]).includes('tree');

const groups = new Map<string, readonly PortState[]>([
  ['active', ['unconfirmed', 'submitted', 'pending', 'scheduled', 'rejected']],
  ['progressing', ['submitted', 'pending', 'scheduled']],
  ['suspended', ['unconfirmed', 'rejected']],
  ['completed', ['completed', 'canceled']],
  ['all', portStates],
]);

/** Parses a list of states or groups of states. */
export const statesOf = (types: string): readonly string[] =>
  types.split(',').flatMap((word): readonly string[] => groups.get(word.trim()) ?? [word.trim()]);

/** Returns true if the numbers of a port request are reserved. */
export const isPortOpen = (state: string): boolean => statesOf('active').includes(state);

/** Returns true if the account can change and delete a port request. */
export const isEditable = (state: string): boolean => statesOf('suspended').includes(state);

/** Returns true if the caller is the port authority: the account's reseller or the super administrator. */
export function isAuthority(call: ServiceRequest): boolean {
  const caller = principalOf(call);
  const { id, hidden } = accountOf(call);
  return isSuper(caller) || (caller.account.id !== id && textAt(hidden, 'reseller_id') === caller.account.id);
}
