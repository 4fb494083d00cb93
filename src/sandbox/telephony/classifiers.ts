import type { JsonObject } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { without } from '../fields.ts';

interface Classifier {
  readonly name: string;
  readonly friendlyName: string;
  readonly regex: string;
  /** Format of a number of the kind: `S` passes over a sign, `#` stands for one. */
  readonly prettyPrint?: string;
}

const northAmerican = 'SS(###) ### - ####';

/** Kinds of numbers; the first whose expression matches counts (Conventions, Phone numbers). */
const classifiers: readonly Classifier[] = [
  { name: 'emergency', friendlyName: 'Emergency Dispatcher', regex: '^(911|112|999)$' },
  {
    name: 'tollfree_us',
    friendlyName: 'US TollFree',
    regex: '^\\+1((?:800|833|844|855|866|877|888)\\d{7})$',
    prettyPrint: northAmerican,
  },
  {
    name: 'toll_us',
    friendlyName: 'US Toll',
    regex: '^\\+1(900\\d{7})$',
    prettyPrint: northAmerican,
  },
  {
    name: 'caribbean',
    friendlyName: 'Caribbean',
    regex:
      '^\\+1((?:242|246|264|268|284|340|345|441|473|649|664|670|671|684|721|758|767|784|787|809|829|849|868|869|876|939)\\d{7})$',
    prettyPrint: northAmerican,
  },
  {
    name: 'did_us',
    friendlyName: 'US DID',
    regex: '^\\+1([2-9]\\d{9})$',
    prettyPrint: northAmerican,
  },
  { name: 'international', friendlyName: 'International', regex: '^\\+([2-9]\\d{6,14})$' },
  { name: 'unknown', friendlyName: 'Unknown', regex: '^(.*)$' },
];

/** The kinds by name, as services list them. */
export const classifiersByName = (): JsonObject =>
  Object.fromEntries(
    classifiers.map(({ name, friendlyName, regex, prettyPrint }) => [
      name,
      {
        ...{ friendly_name: friendlyName, regex },
        ...(prettyPrint === undefined ? {} : { pretty_print: prettyPrint }),
        ...(name === 'emergency' ? { emergency: true } : {}),
      },
    ]),
  );

/** Writes a number by a pattern: `S` passes over a character, `#` writes one, all else is written as it is. */
function printed(pattern: string, number: string): string {
  let place = 0;
  return [...pattern]
    .map((sign) => {
      if (sign !== 'S' && sign !== '#') return sign;
      place += 1;
      return sign === 'S' ? '' : (number[place - 1] ?? '');
    })
    .join('');
}

/** As `classify`, with a printed form only where the kind has one, and a word for emergency numbers. */
export function classifyAlone(typed: string): JsonObject {
  const found = classify(typed);
  const hasForm = found.pretty_print !== found.e164;
  return {
    ...without(found, (key) => key === 'pretty_print' && !hasForm),
    ...(found.name === 'emergency' ? { emergency: true } : {}),
  };
}

/** Returns the kind of a number, in the fields of compatible services. */
export function classify(typed: string): JsonObject {
  const number = normalisedNumber(typed);
  const found = classifiers.find(({ regex }) => new RegExp(regex).test(number));
  if (!found) return { number: typed, e164: number };
  const { name, friendlyName, regex, prettyPrint } = found;
  return {
    number: typed,
    e164: number,
    name,
    friendly_name: friendlyName,
    pretty_print: prettyPrint === undefined ? number : printed(prettyPrint, number),
    regex,
  };
}
