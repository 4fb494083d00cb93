import { isObject, type JsonObject, joinPath, valueAt } from '../base/json.ts';
import { isRoutable } from './phone-number.ts';
import type { RecordFinding } from './types.ts';

/** Finds numbers that no carrier can have: extensions, local numbers and emergency numbers. */
export function portFindings({ numbers }: JsonObject): readonly RecordFinding[] {
  if (!isObject(numbers)) return [];
  return Object.keys(numbers)
    .filter((number) => !isRoutable(number))
    .map((number) => ({
      field: joinPath(['numbers', number]),
      message: `${JSON.stringify(number)} is not a number of the public network and cannot be ported. Write it with + and its calling code`,
    }));
}

/** Finds a ZIP code that lost its leading zero in a spreadsheet. Emergency addresses are American. */
export function addressFindings(number: JsonObject): readonly RecordFinding[] {
  const code = valueAt(number, 'e911.postal_code');
  if (typeof code !== 'string' || !/^\d{3,4}$/.test(code)) return [];
  const message = `"e911.postal_code" ${code} is not a ZIP code, which has five digits. Did a spreadsheet drop its zero? Write ${code.padStart(5, '0')}`;
  return [{ field: 'e911.postal_code', message }];
}
