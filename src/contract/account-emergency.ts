import { isObject, type Json, textOrUndefined } from '../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from './emergency-numbers.ts';
import { shortMatch } from './short-patterns.ts';

/** All numbers of three digits, and the emergency numbers of every country. */
export const shortNumbers: readonly string[] = [
  ...new Set([
    ...anyEmergencyNumbers,
    ...Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0')),
  ]),
];

/**
 * Compatible services class these numbers as emergency numbers by default, although no country uses them: 811 is an
 * information line. A pattern such as `^8` can match them.
 */
const classedByDefault = new Set(['711', '811', '833', '922']);

/**
 * Returns the emergency numbers of a country. Adds the numbers of emergency classes that the service publishes
 * (Conventions, phone numbers, classifiers).
 */
export function emergencyNumbersOf(
  country: string | undefined,
  classifiers: Json | undefined,
): readonly string[] {
  const patterns = Object.entries(isObject(classifiers) ? classifiers : {}).flatMap(([name, value]) => {
    if (!isObject(value) || (value.emergency !== true && name !== 'emergency')) return [];
    return textOrUndefined(value.regex) ?? [];
  });
  const ofClasses = shortNumbers.filter(
    (number) =>
      !classedByDefault.has(number) && patterns.some((pattern) => shortMatch(pattern, number) !== undefined),
  );
  return [...new Set([...emergencyNumbers(country), ...ofClasses])];
}
