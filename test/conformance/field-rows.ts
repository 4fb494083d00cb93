import type { JsonObject } from '../../src/base/json.ts';
import { nobody, number, numberIn, type Row } from './operation-rows.ts';

const nothing = () => ({});
const several = { data: { numbers: ['+14155550123', '+14155550124'] } };
const noNumbers = () => ({ data: { numbers: 7 }, status: 400, field: 'numbers' });

/** Several at once, one of which is there. */
const ofSeveral = (more: JsonObject = {}): Row => ({
  as: 'super',
  minimal: numberIn('in_service', several),
  full: numberIn('in_service', { data: { ...several.data, ...more } }),
  wrong: noNumbers,
});
const ofAccount = (): Row => ({
  minimal: nothing,
  wrong: () => ({ path: { account_id: nobody }, status: 404 }),
});
const free = (): Row => ({ minimal: () => several, full: () => several, wrong: noNumbers });

/** What compatible services have for numbers and the specification has not. */
export function fieldRows(): Readonly<Record<string, Row>> {
  return {
    'numbers.classifiers': ofAccount(),
    'numbers.carriers': ofAccount(),
    'numbers.check': free(),
    'numbers.identify': {
      minimal: numberIn('in_service'),
      wrong: () => ({ path: { phone_number: '+14155559999' }, status: 404 }),
    },
    'numbers.create-many': {
      as: 'super',
      minimal: () => several,
      full: () => ({ data: { ...several.data, create_with_state: 'reserved' } }),
      wrong: noNumbers,
    },
    'numbers.update-many': ofSeveral({ force_outbound: true }),
    'numbers.patch-many': ofSeveral({ force_outbound: true }),
    'numbers.delete-many': ofSeveral(),
    'numbers.buy': free(),
    'numbers.fix': ofAccount(),
    'numbers.fix-one': {
      minimal: () => ({ path: { phone_number: number } }),
      wrong: () => ({ path: { account_id: nobody, phone_number: number }, status: 404 }),
    },
  };
}
