import { Failure } from '../../base/failure.ts';
import { quoteName } from '../../base/wording.ts';
import { diallingPlan } from '../../contract/dialling-plans.ts';
import type { SettingPlace } from './settings.ts';

/** Returns capital letters. Throws `Failure` (`usage`) with the source of an invalid country. */
export function checkCountry({ value, ...place }: SettingPlace<string>): SettingPlace<string> {
  if (value === undefined || diallingPlan(value) !== undefined)
    return { ...place, value: value?.toUpperCase() };
  throw new Failure(
    'usage',
    `${place.from} must be a country in two letters, such as AU, not ${quoteName(value)}.`,
  );
}
