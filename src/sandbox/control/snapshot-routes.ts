import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Faults } from './faults.ts';
import type { Snapshots } from './snapshots.ts';

/** `GET` and `POST` of `/sandbox/snapshots`, `POST` of one's `load`, `DELETE` of one. */
export const snapshotRoutes = (snapshots: Snapshots): readonly ControlRoute[] => [
  {
    method: 'GET',
    path: '/sandbox/snapshots',
    answer: async () => ({ snapshots: snapshots.list() }),
  },
  {
    method: 'POST',
    path: '/sandbox/snapshots',
    answer: ({ body }) => snapshots.save(textAt(body, 'name') ?? '', body.replace === true),
  },
  {
    method: 'POST',
    path: '/sandbox/snapshots/:name/load',
    alone: true,
    answer: ({ params: { name = '' } }) => snapshots.load(name),
  },
  {
    method: 'DELETE',
    path: '/sandbox/snapshots/:name',
    answer: async ({ params: { name = '' } }) => {
      snapshots.delete(name);
      return { deleted: name };
    },
  },
];

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
