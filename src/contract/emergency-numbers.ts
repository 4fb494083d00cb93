/**
 * Emergency numbers by country (ISO 3166 in two letters), in addition to `everywhere`. Source: the authorities of the
 * countries.
 */
const byCountry: ReadonlyMap<string, readonly string[]> = new Map([
  ['AT', ['122', '133', '144']],
  ['AU', ['106']],
  ['BR', ['190', '192', '193']],
  ['CH', ['117', '118', '144']],
  ['CN', ['110', '119', '120', '122']],
  ['DE', ['110']],
  ['FR', ['15', '17', '18', '114', '196']],
  ['HU', ['104', '105', '107']],
  ['IL', ['100', '101', '102']],
  ['IN', ['100', '101', '102', '108']],
  ['IT', ['113', '115', '118']],
  ['JP', ['110', '118', '119']],
  ['KR', ['119']],
  ['NO', ['110', '113']],
  ['NZ', ['111']],
  ['PL', ['997', '998']],
  ['RU', ['101', '102', '103']],
  ['SG', ['995']],
  ['TR', ['155']],
  ['TW', ['110', '119']],
  ['ZA', ['10111', '10177']],
]);

/**
 * 911 and its test line 933 are for North America, 112 for mobile phones and Europe, 999 for Britain and much of Asia
 * and Africa, 000 for Australia. Callers dial the number of their home country.
 */
const everywhere: readonly string[] = ['911', '112', '999', '000', '933'];

/** Emergency numbers of any country. Only these numbers depend on the account. */
export const anyEmergencyNumbers: readonly string[] = [
  ...new Set([...everywhere, ...[...byCountry.values()].flat()]),
];

/** Adds the numbers of a country in two letters to those of all accounts. */
export const emergencyNumbers = (country?: string): readonly string[] => [
  ...everywhere,
  ...(byCountry.get(country?.toUpperCase() ?? '') ?? []),
];
