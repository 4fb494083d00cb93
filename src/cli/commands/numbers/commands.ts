import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, objectsIn, omitUndefined } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { numbers } from '../../../contract/resources/numbers.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';

const completes = { resource: 'numbers' } as const;

const number = { name: 'NUMBER', doc: 'The number, such as +15551230000' } as const;
const numbersArguments = {
  numbers: { name: 'NUMBER', doc: 'Numbers, such as +15551230000', rest: true },
} as const;

const numberArgument = { id: { ...number, completes } } as const;

const stateChanges = [
  { verb: 'activate', done: 'Activated', state: 'in_service' },
  { verb: 'reserve', done: 'Reserved', state: 'reserved' },
  { verb: 'port-in', done: 'Noted as porting in:', state: 'port_in' },
] as const;

const stateChangeCommands: readonly Command[] = stateChanges.map(({ verb, done, state }) => {
  const operation = operationFor(numbers, verb);
  return callCommand({
    operation,
    arguments: numberArgument,
    body: numbers,
    examples: [{ line: `telctl numbers ${verb} +15551230000`, doc: operation.summary }],
    each: { done, state: 'state' },
    isDone: (record) => record?.state === state,
  });
});

/** Returns the parts of a reply, one for each number. The specification defines the record of one number instead. */
function numberReplies(data: Json): readonly JsonObject[] | undefined {
  if (Array.isArray(data)) return data.filter(isObject);
  const places = Object.entries(isObject(data) ? data : {}).flatMap(([id, place]) =>
    /^\+?\d+$/.test(id) && isObject(place) ? [{ id, ...place }] : [],
  );
  return places.length === 0 ? undefined : places;
}

const columns = [
  { header: 'NUMBER', paths: ['number'] },
  { header: 'STATE', paths: ['state', 'status'] },
] as const;
const numbersInData = { numbers: { ...numbersArguments.numbers, into: { data: 'numbers' } } } as const;

const numbersAt = (reply: Json, key: string): readonly (readonly [string, Json | undefined])[] => {
  const found = isObject(reply) ? reply[key] : undefined;
  return isObject(found) ? Object.entries(found) : [];
};

/** Warns about numbers that a request for several numbers skipped. */
function skippedNumbersFailure(reply: Json): Failure | undefined {
  const left = numbersAt(reply, 'error');
  if (left.length === 0) return undefined;
  const lines = left.map(([number, why]) => {
    const word = isObject(why) ? (why.message ?? why.error ?? why.cause) : why;
    return `${number}: ${typeof word === 'string' ? word : JSON.stringify(why)}`;
  });
  const isAll = numbersAt(reply, 'success').length === 0;
  const head = isAll
    ? 'No number was bought.'
    : `${formatCount(left.length, 'number', 'numbers')} could not be bought.`;
  return new Failure(isAll ? 'failed' : 'partial', [head, ...lines], {
    details: { error: Object.fromEntries(left) },
  });
}

export const numbersCommands: readonly Command[] = [
  ...genericCommands(numbers, ['numbers'], ['create']),
  callCommand({
    summary: 'Add numbers to the account',
    operation: operationFor(numbers, 'create'),
    arguments: numbersArguments,
    body: numbers,
    examples: {
      'telctl numbers create +15551230000 +15551230001': 'Add several numbers',
      'telctl numbers create +15551230000': 'Add a number, reserved by default',
      'telctl numbers create +15551230000 --create-with-state in_service':
        'Add a number that is in service immediately',
    },
    each: { done: 'Added', state: 'state' },
    isDone: (record) => record !== undefined,
  }),
  ...stateChangeCommands,
  callCommand({
    operation: operationFor(numbers, 'locality'),
    arguments: { numbers: { ...numbersArguments.numbers, into: { data: 'numbers' } } },
    examples: { 'telctl numbers locality +14155550100 +12125550100': 'Show town, country and carrier' },
    gives: {
      resource: 'numbers',
      noun: 'numbers',
      rows: numberReplies,
      columns: [
        { header: 'NUMBER', paths: ['id'] },
        { header: 'LOCALITY', paths: ['locality'] },
        { header: 'REGION', paths: ['region'] },
        { header: 'COUNTRY', paths: ['country'] },
        { header: 'CARRIER', paths: ['carrier'] },
        { header: 'STATUS', paths: ['status'] },
      ],
    },
  }),
  callCommand({
    operation: operationFor(numbers, 'classify'),
    arguments: { number },
    examples: {
      'telctl numbers classify +18005550100': 'Show whether it is toll-free, international, emergency, …',
    },
    gives: { resource: 'numbers' },
  }),
  callCommand({
    path: ['numbers', 'search'],
    summary: 'Search for available numbers',
    operation: operationFor(numbers, 'list'),
    options: {
      prefix: {
        into: { query: 'prefix' },
        flag: 'prefix',
        value: 'DIGITS',
        required: true,
        doc: 'First digits after the country code, such as an area code',
      },
      quantity: {
        value: 'N',
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        doc: 'How many; 10 by default',
        into: { query: 'quantity' },
      },
    },
    query: ({ settings: { country } }) => omitUndefined({ quantity: '10', country: country.value }),
    examples: {
      'telctl numbers search --prefix 212 --quantity 5': 'Search an area code',
      'telctl numbers search --prefix 212 -o json': 'Print results for a script',
    },
    gives: {
      noun: 'numbers',
      columns,
      // A service without search returns the numbers of the account.
      rows: (data) => objectsIn(data),
    },
  }),
  callCommand({
    description: 'Shows the charges of all numbers together, and asks before it buys any.',
    operation: operationFor(numbers, 'buy'),
    arguments: numbersInData,
    examples: {
      'telctl numbers buy +12125550100': 'Buy a number that telctl numbers search found',
      'telctl numbers buy +12125550100 +12125550101 --accept-charges-up-to 5': 'Buy numbers in a script',
    },
    says: (reply) => {
      const bought = numbersAt(reply, 'success').map(([number]) => number);
      return `Bought ${formatCount(bought.length, 'number')}${bought.length > 0 ? `: ${bought.join(', ')}` : ''}.`;
    },
    fails: skippedNumbersFailure,
    async lookUp(api, { data }) {
      const wanted = isObject(data) && Array.isArray(data.numbers) ? data.numbers.map(String) : [];
      const found = await Promise.all(wanted.map((id) => recordIfThere(api, numbers, id)));
      const isInService = (index: number): boolean => found[index]?.state === 'in_service';
      const of = (here: boolean): JsonObject =>
        Object.fromEntries(
          wanted.flatMap((id, index) =>
            isInService(index) === here ? [[id, found[index] ?? 'not bought']] : [],
          ),
        );
      return found.some((_, index) => isInService(index))
        ? { success: of(true), error: of(false) }
        : undefined;
    },
  }),
  callCommand({
    operation: operationFor(numbers, 'check'),
    arguments: numbersInData,
    examples: { 'telctl numbers check +12125550100 +12125550101': 'Check several numbers' },
    gives: { noun: 'numbers', columns, rows: { keyed: 'number' } },
  }),
  callCommand({
    operation: operationFor(numbers, 'identify'),
    arguments: { number },
    examples: { 'telctl numbers identify +12125550100': 'Show the account that has the number' },
    gives: {},
  }),
  callCommand({
    operation: operationFor(numbers, 'classifiers'),
    examples: {
      'telctl numbers classifiers': 'List classes for --set call_restriction.international.action=deny',
    },
    gives: {
      noun: 'kinds',
      rows: { keyed: 'name' },
      columns: [
        { header: 'NAME', paths: ['name'] },
        { header: 'KIND', paths: ['friendly_name'] },
        { header: 'NUMBERS', paths: ['regex'] },
      ],
    },
  }),
  callCommand({
    operation: operationFor(numbers, 'carriers'),
    examples: { 'telctl numbers carriers': 'List carriers, states, and the longest prefix of a search' },
    gives: {},
  }),
  callCommand({
    summary: 'Let the service repair its records of numbers',
    given: [
      {
        when: { number: true },
        operation: operationFor(numbers, 'fix-one'),
        says: 'The service repaired {number}.',
      },
    ],
    operation: operationFor(numbers, 'fix'),
    arguments: { number: { ...number, doc: 'Number to repair (default: all)', optional: true } },
    examples: {
      'telctl numbers fix': 'Repair all numbers of the account',
      'telctl numbers fix +15551230000': 'Repair one number',
    },
    says: 'The service repaired the numbers of {account}.',
  }),
];
