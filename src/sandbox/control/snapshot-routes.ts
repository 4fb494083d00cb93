import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
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
