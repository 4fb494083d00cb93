import { isObject, valueAt } from '../../base/json.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Groups: lists show how many endpoints there are, and what is switched on. */
export const groupRules: ResourceRules = {
  summary: async ({ body }) => ({
    features: valueAt(body, 'music_on_hold.media_id') === undefined ? [] : ['music_on_hold'],
    endpoints: isObject(body.endpoints) ? Object.keys(body.endpoints).length : 0,
  }),
};
