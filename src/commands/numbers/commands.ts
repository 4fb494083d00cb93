import { type ArgumentSpecs, type Command, defineCommand } from '../../command/command.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-record.ts';
import { bodyOptions, inputOptions } from '../generic/input-options.ts';

const completes = { resource: 'numbers' } as const;

/** Arguments that name a number, whoever has it. */
export const numberArguments = {
  number: { name: 'NUMBER', doc: 'The number, such as +15551230000' },
} as const;
/** Several of them. */
export const numbersArguments = {
  numbers: { name: 'NUMBER', doc: 'Numbers, such as +15551230000', rest: true },
} as const;

const named: ArgumentSpecs = { id: { ...numberArguments.number, completes } };

const create: Command = {
  path: ['numbers', 'create'],
  summary: 'Add a number to the account',
  arguments: { id: numberArguments.number },
  get options() {
    return inputOptions(numbers);
  },
  effect: 'write',
  examples: [
    { line: 'telctl numbers create +15551230000', doc: 'Reserved, unless the service says otherwise' },
    { line: 'telctl numbers create +15551230000 --create-with-state in_service', doc: 'At once in service' },
  ],
  operations: ['numbers.create'],
  load: async () => (await import('./numbers.ts')).numberHandler('create', 'Added'),
};

const moves = [
  { verb: 'activate', done: 'Activated' },
  { verb: 'reserve', done: 'Reserved' },
  { verb: 'port-in', done: 'Noted as porting in:' },
] as const;

const moveCommands: readonly Command[] = moves.map(({ verb, done }) => {
  const operation = operationFor(numbers, verb);
  return {
    path: ['numbers', verb],
    summary: operation.summary,
    arguments: named,
    get options() {
      return bodyOptions(numbers, operation);
    },
    effect: operation.effect,
    examples: [{ line: `telctl numbers ${verb} +15551230000`, doc: operation.summary }],
    operations: [operation.id],
    load: async () => (await import('./numbers.ts')).numberHandler(verb, done),
  };
});

const locality = defineCommand({
  path: ['numbers', 'locality'],
  summary: 'Find out where numbers are',
  arguments: numbersArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl numbers locality +14155550100 +12125550100', doc: 'Town, country and carrier' }],
  operations: ['numbers.locality'],
  load: async () => (await import('./numbers.ts')).showLocality,
});

const classify = defineCommand({
  path: ['numbers', 'classify'],
  summary: 'Find out what kind of number it is',
  arguments: numberArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl numbers classify +18005550100', doc: 'Toll-free, international, emergency, …' }],
  operations: ['numbers.classify'],
  load: async () => (await import('./numbers.ts')).classifyNumber,
});

/** Everything under `telctl numbers`. */
export const numbersCommands: readonly Command[] = [
  ...genericCommands(numbers, ['numbers'], ['create']),
  create,
  ...moveCommands,
  locality,
  classify,
];
