import { isObject, type Json, textOf } from '../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from './emergency-numbers.ts';
import { shortMatch } from './short-patterns.ts';

/** Short numbers that are an emergency number in some country, and all numbers of three digits. */
export const shortNumbers: readonly string[] = [
  ...new Set([
    ...anyEmergencyNumbers,
    ...Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0')),
  ]),
];

/**
 * Numbers that compatible services class as emergency numbers by default, and that are none in any country: 811 is an
 * information line. A pattern such as `^8` can match them.
 */
const classedByDefault = new Set(['711', '811', '833', '922']);

/**
 * Returns the emergency numbers of an account: those of its country and, if the service publishes its number classes
 * (Conventions, phone numbers, classifiers), those of its emergency classes.
 */
export function emergencyNumbersOf(
  country: string | undefined,
  classifiers: Json | undefined,
): readonly string[] {
  const patterns = Object.entries(isObject(classifiers) ? classifiers : {}).flatMap(([name, value]) => {
    if (!isObject(value) || (value.emergency !== true && name !== 'emergency')) return [];
    return textOf(value.regex) ?? [];
  });
  const ofClasses = shortNumbers.filter(
    (number) =>
      !classedByDefault.has(number) && patterns.some((pattern) => shortMatch(pattern, number) !== undefined),
  );
  return [...new Set([...emergencyNumbers(country), ...ofClasses])];
}
