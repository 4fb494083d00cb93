import { isObject } from '../../contract/json.ts';
import type { ResourceRules } from '../resource-rules.ts';

/** Groups: lists show how many endpoints there are. */
export const groupRules: ResourceRules = {
  summary: async ({ body }) => ({
    endpoints: isObject(body.endpoints) ? Object.keys(body.endpoints).length : 0,
  }),
};

/** Voicemail boxes: lists count messages, of which the sandbox has none yet. */
export const vmboxRules: ResourceRules = {
  summary: async () => ({ messages: 0, folders: { new: 0, saved: 0 } }),
};
