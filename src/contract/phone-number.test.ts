import fc from 'fast-check';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import {
  dialledDigits,
  explainUndialled,
  normalisedNumber,
  normaliseTyped,
  toStoredNumber,
  undialledNumbers,
  withDialledNumbers,
} from './phone-number.ts';
import * as resources from './resource-list.ts';
import { users } from './resources/users.ts';
import { resolveReference, type Schema, type SchemaNode, subschemas } from './schema-node.ts';

/** Numbers as people write them: digits with marks, with and without a plus. */
const written = fc.stringMatching(/^\+?[0-9][0-9 ().-]{0,18}[0-9]$/);
const countries = fc.constantFrom(
  undefined,
  'US',
  'GB',
  'AU',
  'DE',
  'IT',
  'FR',
  'JP',
  'BR',
  'SG',
  'NZ',
  'ZA',
);

test('normalising a sent number is idempotent and agrees with the number the service stores', () => {
  fc.assert(
    fc.property(written, countries, (typed, country) => {
      const sent = normaliseTyped(typed, country);
      if (sent.startsWith('+')) expect(normaliseTyped(sent, country)).toBe(sent);
      expect(normalisedNumber(sent)).toBe(toStoredNumber(sent));
      expect(toStoredNumber(toStoredNumber(sent))).toBe(toStoredNumber(sent));
      expect(dialledDigits(sent)).toBe(sent);
    }),
  );
});

test.each([
  ['AU', '0491570006', '0011'],
  ['GB', '02079460018', '00'],
  ['DE', '030123456', '00'],
  ['FR', '0123456789', '00'],
  ['IT', '0612345678', '00'],
  ['JP', '0312345678', '010'],
  ['NZ', '092345678', '00'],
  ['ZA', '0212345678', '00'],
  ['US', '3125550177', '011'],
  ['CH', '0446681800', '00'],
] as const)(
  'parses national and international numbers of %s like libphonenumber',
  (country, national, abroad) => {
    expect(isSupportedCountry(country)).toBe(true);
    for (const typed of [national, `${abroad}442079460018`]) {
      const outside = parsePhoneNumberFromString(typed, country);
      expect([typed, normaliseTyped(typed, country)]).toEqual([typed, outside?.number]);
    }
  },
);

test.each([
  ['+44 (0) 20 7946 0018', '+442079460018'],
  ['442079460018', '+442079460018'],
  ['+1 (312) 555-0177', '+13125550177'],
  ['0491570006', '0491570006'],
  ['(312) 555-0177', '3125550177'],
  ['*97', '*97'],
  ['no_match', 'no_match'],
  ['1001', '1001'],
  ['\u202A+1 312-555-0177\u202C', '+13125550177'],
  ['4002\u200B', '4002'],
])('sends %s without a country as %s', (typed, sent) => {
  expect(normaliseTyped(typed)).toBe(sent);
});

test('treats only area codes from 2 to 9 as North American', () => {
  expect(
    ['3125550177', '13125550177', '0491570006', '1125550177', '0044207946001'].map(toStoredNumber),
  ).toEqual(['+13125550177', '+13125550177', '0491570006', '1125550177', '+44207946001']);
});

const undialled = [
  '3.12556E+11',
  '1.00E+03',
  '1e5',
  '4,1E+10',
  '=15551230011',
  "'3125550100",
  '１２３４',
  '+',
  '1-800-FLOWERS',
  '“3125550100”',
  '«4005»',
  '"Acme" <+13125550100>',
  'tel:+13125550100',
  'sip:4007@acme.example',
  '_4XXX',
  '_9.',
];

test('finds numbers damaged by a spreadsheet in every number field', () => {
  for (const number of undialled) {
    const found = undialledNumbers(users.schema, {
      call_forward: { number },
      caller_id: { internal: { number }, external: { number }, emergency: { number } },
    });
    expect([number, found.length, explainUndialled(number)]).toEqual([number, 4, expect.any(String)]);
  }
  const record = {
    call_forward: { number: '+1 (312) 555-0177' },
    caller_id: { emergency: { number: '212.555.0199' } },
  };
  expect(undialledNumbers(users.schema, record)).toEqual([]);
  expect(withDialledNumbers(users.schema, record)).toEqual({
    call_forward: { number: '+13125550177' },
    caller_id: { emergency: { number: '2125550199' } },
  });
});

/** Fields with "number" in their names or descriptions that hold something else, with the reason. */
const otherNumbers = new Map([
  ['callflows.featurecode.number', 'the code without its star'],
  ['callflows.metaflow.numbers', 'keys pressed during a call'],
  ['numbers.e911.legacy_data.house_number', 'part of an address'],
  ['ports.bill.street_number', 'part of an address'],
  ['ports.bill.account_number', 'an account of the losing carrier'],
  ['ports.reference_number', 'a name of the carrier'],
]);

/** Returns the writable texts of a schema whose name says that they hold a phone number. */
function numberFields(
  schema: Schema,
  node: SchemaNode,
  path: string,
  seen: ReadonlySet<SchemaNode>,
): readonly string[] {
  const here = resolveReference(schema, node);
  if (seen.has(here) || here.readOnly) return [];
  const next = new Set([...seen, here]);
  return [
    ...Object.entries(here.properties ?? {}).flatMap(([key, inner]) => {
      const child = resolveReference(schema, inner);
      const at = `${path}.${key}`;
      const isNamed = /^(?:number|numbers|.*_numbers?|mailbox|phone|mdn)$/.test(key);
      const isText = [child.type, child['x-convention']?.type, child.items?.type].includes('string');
      if (isNamed && isText && !child.readOnly && child['x-source'] === undefined && !child['x-dialled'])
        return [at];
      return numberFields(schema, child, at, next);
    }),
    ...subschemas(here)
      .filter((each) => !Object.values(here.properties ?? {}).includes(each))
      .flatMap((each) => numberFields(schema, each, path, next)),
  ];
}

test('every field whose name suggests a phone number is marked as one', () => {
  const found = Object.values(resources).flatMap(({ name, schema }) =>
    numberFields(schema, schema, name, new Set()).filter((path) => !otherNumbers.has(path)),
  );
  expect([...new Set(found)].sort()).toEqual([]);
});
