import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { numbers } from '../../../contract/resources/numbers.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';

const completes = { resource: 'numbers' } as const;

/** Arguments that name a number, whoever has it. */
const number = { name: 'NUMBER', doc: 'The number, such as +15551230000' } as const;
const numbersArguments = {
  numbers: { name: 'NUMBER', doc: 'Numbers, such as +15551230000', rest: true },
} as const;

const named = { id: { ...number, completes } } as const;

const create = callCommand({
  path: ['numbers', 'create'],
  summary: 'Add numbers to the account',
  operation: operationFor(numbers, 'create'),
  arguments: numbersArguments,
  body: numbers,
  examples: [
    { line: 'telctl numbers create +15551230000 +15551230001', doc: 'Several, with one report' },
    { line: 'telctl numbers create +15551230000', doc: 'Reserved, unless the service says otherwise' },
    { line: 'telctl numbers create +15551230000 --create-with-state in_service', doc: 'At once in service' },
  ],
  each: { done: 'Added', state: 'state' },
  isDone: (record) => record !== undefined,
});

const moves = [
  { verb: 'activate', done: 'Activated', state: 'in_service' },
  { verb: 'reserve', done: 'Reserved', state: 'reserved' },
  { verb: 'port-in', done: 'Noted as porting in:', state: 'port_in' },
] as const;

const moveCommands: readonly Command[] = moves.map(({ verb, done, state }) => {
  const operation = operationFor(numbers, verb);
  return callCommand({
    path: ['numbers', verb],
    summary: operation.summary,
    operation,
    arguments: named,
    body: numbers,
    examples: [{ line: `telctl numbers ${verb} +15551230000`, doc: operation.summary }],
    each: { done, state: 'state' },
    isDone: (record) => record?.state === state,
  });
});

/** The places of a reply, each with its number; the specification shows a record of a number instead. */
function placesIn(data: Json): readonly JsonObject[] | undefined {
  if (Array.isArray(data)) return data.filter(isObject);
  const places = Object.entries(isObject(data) ? data : {}).flatMap(([id, place]) =>
    /^\+?\d+$/.test(id) && isObject(place) ? [{ id, ...place }] : [],
  );
  return places.length === 0 ? undefined : places;
}

const locality = callCommand({
  path: ['numbers', 'locality'],
  summary: 'Find out where numbers are',
  operation: operationFor(numbers, 'locality'),
  arguments: { numbers: { ...numbersArguments.numbers, into: 'data.numbers' } },
  examples: [{ line: 'telctl numbers locality +14155550100 +12125550100', doc: 'Town, country and carrier' }],
  gives: {
    resource: 'numbers',
    noun: 'numbers',
    rows: placesIn,
    columns: [
      { header: 'NUMBER', paths: ['id'] },
      { header: 'LOCALITY', paths: ['locality'] },
      { header: 'REGION', paths: ['region'] },
      { header: 'COUNTRY', paths: ['country'] },
      { header: 'CARRIER', paths: ['carrier'] },
      { header: 'STATUS', paths: ['status'] },
    ],
  },
});

const classify = callCommand({
  path: ['numbers', 'classify'],
  summary: 'Find out what kind of number it is',
  operation: operationFor(numbers, 'classify'),
  arguments: { number },
  examples: [{ line: 'telctl numbers classify +18005550100', doc: 'Toll-free, international, emergency, …' }],
  gives: { resource: 'numbers' },
});

export const numbersCommands: readonly Command[] = [
  ...genericCommands(numbers, ['numbers'], ['create']),
  create,
  ...moveCommands,
  locality,
  classify,
];
