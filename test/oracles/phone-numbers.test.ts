import {
  type CountryCode,
  getCountries,
  getExampleNumber,
  isSupportedCountry,
  Metadata,
} from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { countryOfNumber, diallingPlan } from '../../src/contract/dialling-plans.ts';
import {
  explainMisread,
  explainUndialled,
  normaliseTyped,
  toStoredNumber,
} from '../../src/contract/phone-number.ts';

const countries = getCountries();

/** Returns an example number of a country in its notations. */
function exampleNumber(country: CountryCode) {
  const number = getExampleNumber(country, examples);
  if (number === undefined) throw new Error(`There is no example of ${country}.`);
  return {
    e164: number.number,
    code: number.countryCallingCode,
    national: number.formatNational(),
    international: number.formatInternational(),
    uri: number.getURI().replace('tel:', ''),
    significant: number.nationalNumber,
  };
}

/** Returns the international dialing prefix, if a country has only one. */
function dialingPrefix(country: CountryCode): string | undefined {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const prefix = metadata.numberingPlan?.IDDPrefix();
  return prefix !== undefined && /^\d+$/.test(prefix) ? prefix : undefined;
}

test('every country has a dialing plan with the calling code of the libphonenumber metadata', () => {
  const other = countries.filter((country) => diallingPlan(country)?.code !== exampleNumber(country).code);
  expect(other).toEqual([]);
});

test('the plan names countries that exist, and numbers lead back to their calling code', () => {
  for (const country of countries) {
    const { e164, code } = exampleNumber(country);
    const found = countryOfNumber(e164);
    expect([country, found !== undefined && isSupportedCountry(found) && exampleNumber(found).code]).toEqual([
      country,
      code,
    ]);
  }
});

test.each(['e164', 'international', 'uri'] as const)(
  'the %s form of a number of every country stays that number',
  (form) => {
    for (const country of countries) {
      const example = exampleNumber(country);
      for (const home of [undefined, country, 'US', 'DE'])
        expect([example[form], home, normaliseTyped(example[form], home)]).toEqual([
          example[form],
          home,
          example.e164,
        ]);
      expect([
        example.e164,
        toStoredNumber(example.e164),
        explainMisread(example.e164),
        explainUndialled(example[form]),
      ]).toEqual([example.e164, example.e164, undefined, undefined]);
    }
  },
);

/** Argentina writes 15 in mobile numbers, where the international format has a 9. telctl does not convert them. */
const keptAsTyped = new Set<CountryCode>(['AR']);

test('the national form of a number is read as libphonenumber writes it, in every country', () => {
  const other = countries.flatMap((country) => {
    const { national, e164, significant } = exampleNumber(country);
    const read = normaliseTyped(national, country);
    const digits = national.replaceAll(/\D/g, '');
    // Short numbers without a prefix may be extensions.
    const isShort = significant.length < 8 && digits === significant;
    const expected = isShort || keptAsTyped.has(country) ? digits : e164;
    return read === expected ? [] : [`${country}: ${national} is ${expected}, not ${read}`];
  });
  expect(other).toEqual([]);
});

test('a number abroad is read with the digits for calls abroad of every country', () => {
  const other = countries.flatMap((country) => {
    const abroad = dialingPrefix(country);
    const to = exampleNumber(country === 'GB' ? 'FR' : 'GB').e164;
    if (abroad === undefined) return [];
    const read = normaliseTyped(`${abroad}${to.slice(1)}`, country);
    return read === to ? [] : [`${country}: ${abroad}${to.slice(1)} is not ${read}`];
  });
  expect(other).toEqual([]);
});
