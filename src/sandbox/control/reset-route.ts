import type { ControlRoute } from '../control-route.ts';
import { Refusal } from '../refusal.ts';
import type { Faults } from './faults.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * `POST /sandbox/reset`: everything as it was at the beginning, ids and secrets too, so that those who were told them
 * can go on. Only a sandbox that kept its beginning can.
 */
export const resetRoute = (snapshots: Snapshots, faults: Faults): ControlRoute => ({
  method: 'POST',
  path: '/sandbox/reset',
  alone: true,
  answer: async () => {
    if (!(await snapshots.loadBeginning()))
      throw new Refusal(409, 'no_beginning', 'This sandbox kept nothing of its beginning.');
    faults.clearAll();
    return {};
  },
});
