import { isObject, type Json, textOrUndefined } from '../base/json.ts';
import { compilePattern } from './call-patterns.ts';
import { type NumberClass, numberClasses } from './number-classes.ts';

/** Tested after the specific classes of a service. */
const general = new Set(['did_us', 'international', 'unknown']);

/**
 * Parses the number classes of a service (Conventions, phone numbers, classifiers), in the order of tests. Objects in
 * responses have no order, so known names have the order of the contract, and specific classes come before general
 * ones. Returns `undefined` if the response has no classes.
 */
export function classesOfService(reply: Json | undefined): readonly NumberClass[] | undefined {
  if (!isObject(reply)) return undefined;
  const read = Object.entries(reply).flatMap(([name, value]): readonly NumberClass[] => {
    const regex = isObject(value) ? textOrUndefined(value.regex) : undefined;
    const pattern = regex === undefined ? undefined : compilePattern(regex);
    if (!isObject(value) || regex === undefined || pattern === undefined) return [];
    const friendlyName = textOrUndefined(value.friendly_name) ?? name;
    return [{ name, friendlyName, regex, test: (number) => pattern.test(number) }];
  });
  if (read.length === 0) return undefined;
  const order = numberClasses.map(({ name }) => name);
  const own = order.findIndex((name) => general.has(name)) - 0.5;
  const rank = ({ name }: NumberClass): number => (order.includes(name) ? order.indexOf(name) : own);
  return read.toSorted((one, other) => rank(one) - rank(other));
}
