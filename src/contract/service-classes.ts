import { isObject, type Json, textOf } from '../base/json.ts';
import { compiled } from './call-patterns.ts';
import { anyEmergencyNumbers, emergencyNumbers } from './emergency-numbers.ts';
import { isEmergencyClass, type NumberClass, numberClasses } from './number-classes.ts';

/** Classes that take whatever is left of a kind: classes of a service's own are tried before them. */
const general = new Set(['did_us', 'international', 'unknown']);

/**
 * Returns the classes of numbers of a service by its reply (Conventions, phone numbers, classifiers), in the order in
 * which they are tried: replies are objects, so known names have the order of the contract, and a service's own classes
 * are tried before the general ones. `undefined` if the reply has none.
 */
export function classesOfService(reply: Json | undefined): readonly NumberClass[] | undefined {
  if (!isObject(reply)) return undefined;
  const read = Object.entries(reply).flatMap(([name, value]): readonly NumberClass[] => {
    const regex = isObject(value) ? textOf(value.regex) : undefined;
    const pattern = regex === undefined ? undefined : compiled(regex);
    if (!isObject(value) || regex === undefined || pattern === undefined) return [];
    const isEmergency = value.emergency === true || name === 'emergency';
    const friendlyName = textOf(value.friendly_name) ?? name;
    return [{ name, friendlyName, regex, isEmergency, test: (number) => pattern.test(number) }];
  });
  if (read.length === 0) return undefined;
  const order = numberClasses.map(({ name }) => name);
  const own = order.findIndex((name) => general.has(name)) - 0.5;
  const rank = ({ name }: NumberClass): number => (order.includes(name) ? order.indexOf(name) : own);
  return read.toSorted((one, other) => rank(one) - rank(other));
}

/** Short numbers that may be an emergency number somewhere: those of any country, and all of three digits. */
export const shortNumbers: readonly string[] = [
  ...new Set([
    ...anyEmergencyNumbers,
    ...Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0')),
  ]),
];

/**
 * Numbers that compatible services class as emergency numbers by default, and that no country has as one: 811 is an
 * information line. A pattern such as `^8` may take them.
 */
const classedByDefault = new Set(['711', '811', '833', '922']);

/**
 * Returns the emergency numbers of an account: those of its country and, if its service shows its classes of numbers,
 * those of the classes for emergencies.
 */
export function emergencyNumbersOf(
  country: string | undefined,
  classes: readonly NumberClass[] | undefined,
): readonly string[] {
  const ofClasses = (classes ?? [])
    .filter(isEmergencyClass)
    .flatMap(({ test }) =>
      test ? shortNumbers.filter((number) => test(number) && !classedByDefault.has(number)) : [],
    );
  return [...new Set([...emergencyNumbers(country), ...ofClasses])];
}
