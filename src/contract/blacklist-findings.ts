import { isObject, type JsonObject, joinPath } from '../base/json.ts';
import { dialledDigits, explainUndialled } from './phone-number.ts';
import type { RecordFinding } from './types.ts';

/**
 * Returns entries that match no caller, because services compare whole numbers (Conventions, lists and blacklists).
 * Numbers that cannot be dialed are reported elsewhere.
 */
export function blacklistFindings({ numbers }: JsonObject): readonly RecordFinding[] {
  if (!isObject(numbers)) return [];
  return Object.keys(numbers).flatMap((text) => {
    if (/^\+?\d+$/.test(dialledDigits(text)) || explainUndialled(text) !== undefined) return [];
    const instead =
      text.toLowerCase() === 'anonymous'
        ? 'To refuse callers without a number, set should_block_anonymous: true'
        : 'Entries are whole numbers, such as +13125550100';
    return [
      {
        field: joinPath(['numbers', text]),
        message: `the entry ${JSON.stringify(text)} matches no caller. ${instead}`,
      },
    ];
  });
}
