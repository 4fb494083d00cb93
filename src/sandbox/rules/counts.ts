import { isObject } from '../../contract/json.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Groups: lists show how many endpoints there are. */
export const groupRules: ResourceRules = {
  summary: async ({ body }) => ({
    endpoints: isObject(body.endpoints) ? Object.keys(body.endpoints).length : 0,
  }),
};
