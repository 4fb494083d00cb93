import { operationOf, resources } from '../../src/contract/catalogue.ts';
import type { ResourceName } from '../../src/contract/types.ts';

const verbs = ['list', 'get', 'create', 'update', 'patch', 'delete'];

/** Collections of an account with all six verbs. */
export const genericCollections: readonly ResourceName[] = resources.flatMap(({ name }) =>
  verbs.every((verb) => operationOf(name, verb)?.path.startsWith(`/accounts/{account_id}/${name}`))
    ? [name]
    : [],
);
