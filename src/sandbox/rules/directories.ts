import { isObject } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Directories: who is in one stands in the records of the users. */
export const directoryRules: ResourceRules = {
  derive: async ({ scope, id }, { services: { store } }) => {
    const limit = await store.count('users', scope);
    const users = await store.stretch({ kind: 'users', scope, ascending: true, limit });
    return {
      users: users.flatMap(({ id: userId, body }) => {
        const callflowId = isObject(body.directories) ? textAt(body.directories, id) : undefined;
        return callflowId === undefined ? [] : [{ user_id: userId, callflow_id: callflowId }];
      }),
    };
  },
};
