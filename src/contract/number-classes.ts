import { emergencyNumbers } from './emergency-numbers.ts';

/** A class of dialed numbers. Restrictions, carriers and charges depend on the class. */
export interface NumberClass {
  readonly name: string;
  readonly friendlyName: string;
  readonly regex: string;
  /** `S` skips a character, `#` prints a digit. */
  readonly prettyPrint?: string;
  /** Tests a pattern that is not a JavaScript expression. */
  readonly test?: (number: string) => boolean;
}

const northAmerican = 'SS(###) ### - ####';

/** In recordings, compatible services also treat these short numbers as emergency numbers. */
const recordedEmergency = ['911', '922', '933', '833', '811', '711', '999'];

const classesWith = (emergency: readonly string[]): readonly NumberClass[] => [
  {
    name: 'tollfree_us',
    friendlyName: 'US TollFree',
    regex: '^\\+1((?:800|88\\d|877|866|855|844|833|822)\\d{7})$',
    prettyPrint: northAmerican,
  },
  { name: 'toll_us', friendlyName: 'US Toll', regex: '^\\+1(900\\d{7})$', prettyPrint: northAmerican },
  { name: 'emergency', friendlyName: 'Emergency Dispatcher', regex: `^(${emergency.join('|')})$` },
  {
    name: 'caribbean',
    friendlyName: 'Caribbean',
    regex:
      '^\\+?1((?:684|264|268|242|246|441|284|345|767|809|829|849|473|671|876|664|670|787|939|869|758|784|721|868|649|340)\\d{7})$',
    prettyPrint: northAmerican,
  },
  {
    name: 'did_us',
    friendlyName: 'US DID',
    regex: '^(\\+?1)?([2-9][0-9]{2}[2-9][0-9]{6})$',
    prettyPrint: northAmerican,
  },
  { name: 'international', friendlyName: 'International', regex: '^\\+([2-9]\\d{7,})$' },
  { name: 'unknown', friendlyName: 'Unknown', regex: '^(.*)$' },
];

/** Default classes in order. The first match counts. */
export const numberClasses: readonly NumberClass[] = classesWith([
  ...new Set([...emergencyNumbers(), ...recordedEmergency]),
]);

/** Returns classes for an account whose service is not asked. Short numbers of its country are emergency numbers. */
export const classesOfCountry = (country: string | undefined): readonly NumberClass[] =>
  country === undefined
    ? numberClasses
    : classesWith([...new Set([...emergencyNumbers(country), ...recordedEmergency])]);

/** Recorded classes of compatible services, in which 112 and 000 are not emergency numbers. */
export const recordedClasses: readonly NumberClass[] = classesWith(recordedEmergency);

type Tried = readonly [NumberClass, (number: string) => boolean];
const compiledClasses = new WeakMap<readonly NumberClass[], readonly Tried[]>();

const compileClass = (each: NumberClass): Tried => {
  const pattern = new RegExp(each.regex);
  return [each, (number) => pattern.test(number)];
};

/** Accepts E.164, or the digits of a short number. */
export function classOfNumber(
  number: string,
  classes: readonly NumberClass[] = numberClasses,
): NumberClass | undefined {
  const known =
    compiledClasses.get(classes) ??
    classes.map((each): Tried => (each.test ? [each, each.test] : compileClass(each)));
  compiledClasses.set(classes, known);
  return known.find(([, test]) => test(number))?.[0];
}
