import { invalid } from '../refusal.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Carriers that are let in by their address alone are forbidden as long as the system allows none (Conventions). */
export const carrierRules: ResourceRules = {
  refine: (draft) => {
    if (draft.body.peer !== true) return draft;
    throw invalid([{ path: 'peer', rule: 'forbidden', message: 'must not be set here', value: true }]);
  },
};
