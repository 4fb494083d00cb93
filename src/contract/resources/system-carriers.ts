import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import { carrierFacts, carrierRecord } from './carriers.ts';

const forSuper = { role: 'super' } as const;

export const system_carriers = resource({
  ...carrierFacts,
  name: 'system_carriers',
  singular: 'system carrier',
  summary: 'Outside lines of the whole service, for super administrators',
  order: 154,
  schema: () => carrierRecord('An outside line of the whole service'),
  absent: { manifests: 'They belong to the whole service', page: 'They belong to the whole service' },
  operations: [
    collection({
      path: '/resources',
      except: {
        list: forSuper,
        get: forSuper,
        create: forSuper,
        update: forSuper,
        patch: forSuper,
        delete: forSuper,
      },
    }),
  ],
});
