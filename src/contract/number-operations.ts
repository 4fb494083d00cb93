import { anything, flag, freeObject, integer, mapOf, openObject, text, texts } from './fields.ts';
import type { OperationRows } from './operations.ts';

/** What a search for numbers that can be bought takes (Conventions, phone numbers, search). */
export const searchQuery = [
  {
    name: 'prefix',
    doc: 'First digits, without those of the country: numbers that can be bought are listed',
  },
  { name: 'quantity', doc: 'How many of them; one by default' },
  { name: 'offset', doc: 'How many to pass over' },
  { name: 'country', doc: 'Country, in two letters; US by default' },
] as const;

const look = { section: 'Conventions, phone numbers', effect: 'read', repeat: 'safe' } as const;

const severalNumbers = texts('Numbers', {
  source: 'convention',
  dialled: true,
  convention: { minItems: 1, uniqueItems: true },
});
const required = { convention: { required: ['numbers'] } } as const;

const several = {
  section: 'Conventions, phone numbers, several at once',
  repeat: 'never',
  body: {
    kind: 'value',
    schema: openObject({ numbers: severalNumbers }, 'Numbers, and fields that each of them gets', required),
  },
  reply: {
    kind: 'value',
    schema: openObject(
      {
        success: mapOf(freeObject('The record'), 'What was done, by number'),
        error: mapOf(anything(), 'Why not, by number'),
      },
      'What became of each number',
    ),
  },
} as const;

/** Operations that compatible services have for numbers beside the specification's: looks, several at once, repair. */
export function numberOperations(path: '/accounts/{account_id}/phone_numbers'): OperationRows {
  return {
    classifiers: {
      route: `GET ${path}/classifiers`,
      ...look,
      reply: {
        kind: 'value',
        schema: mapOf(
          openObject(
            {
              friendly_name: text('Name for people'),
              regex: text('Expression that its numbers match'),
              pretty_print: text('Form in which they are written'),
              emergency: flag('Emergency services'),
            },
            'A kind of number',
          ),
          'Kinds of numbers, by name',
        ),
      },
      summary: 'List the kinds of numbers that restrictions name',
    },
    carriers: {
      route: `GET ${path}/carriers_info`,
      ...look,
      reply: {
        kind: 'value',
        schema: openObject(
          {
            maximal_prefix_length: integer('Most digits that a search takes'),
            usable_carriers: texts('Carriers that numbers may be of'),
            usable_creation_states: texts('States that the caller may make numbers in'),
          },
          'What numbers can be got',
        ),
      },
      summary: 'Show where numbers come from, and in which states they can be made',
    },
    check: {
      route: `POST ${path}/check`,
      ...look,
      body: {
        kind: 'value',
        schema: openObject({ numbers: severalNumbers }, 'Numbers to ask carriers about', required),
      },
      reply: { kind: 'value', schema: mapOf(text('available, unavailable, success or error'), 'By number') },
      summary: 'Ask carriers whether numbers can be bought',
    },
    identify: {
      route: `GET ${path}/{phone_number}/identify`,
      ...look,
      reply: {
        kind: 'value',
        schema: openObject(
          { account_id: text('Account that has it', { ref: 'accounts' }), number: text('The number') },
          'Whose it is',
        ),
      },
      summary: 'Find out which account has a number',
    },
    'create-many': { route: `PUT ${path}/collection`, ...several, summary: 'Add several numbers' },
    'update-many': {
      route: `POST ${path}/collection`,
      ...several,
      summary: 'Replace the fields of several numbers: what is not sent is lost',
    },
    'patch-many': {
      route: `PATCH ${path}/collection`,
      ...several,
      summary: 'Change fields of several numbers',
    },
    'delete-many': { route: `DELETE ${path}/collection`, ...several, summary: 'Release several numbers' },
    buy: {
      route: `PUT ${path}/collection/activate`,
      ...several,
      does: ['costs'],
      summary: 'Buy numbers: they are put into service',
    },
    fix: {
      route: `POST ${path}/fix`,
      section: look.section,
      reply: { kind: 'value', schema: freeObject('The numbers of the account') },
      summary: 'Let the service repair what it keeps of the numbers of an account',
    },
    'fix-one': {
      route: `POST ${path}/fix/{phone_number}`,
      section: look.section,
      reply: { kind: 'empty' },
      summary: 'Let the service repair what it keeps of a number',
    },
  };
}
