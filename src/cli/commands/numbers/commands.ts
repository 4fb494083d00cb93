import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { inWords } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { numbers } from '../../../contract/resources/numbers.ts';
import type { ArgumentSpecs, Command, Handler, ParsedInput } from '../../command/command.ts';
import { actMany } from '../act-many.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { bodyOptions, inputOptions } from '../generic/input-options.ts';
import { recordIfThere } from '../generic/listed-records.ts';

const completes = { resource: 'numbers' } as const;

/** Arguments that name a number, whoever has it. */
const number = { name: 'NUMBER', doc: 'The number, such as +15551230000' } as const;
const numbersArguments = {
  numbers: { name: 'NUMBER', doc: 'Numbers, such as +15551230000', rest: true },
} as const;

const named: ArgumentSpecs = { id: { ...number, completes } };

const create: Command = {
  path: ['numbers', 'create'],
  summary: 'Add numbers to the account',
  arguments: numbersArguments,
  get options() {
    return inputOptions(numbers);
  },
  effect: 'write',
  examples: [
    { line: 'telctl numbers create +15551230000 +15551230001', doc: 'Several, with one report' },
    { line: 'telctl numbers create +15551230000', doc: 'Reserved, unless the service says otherwise' },
    { line: 'telctl numbers create +15551230000 --create-with-state in_service', doc: 'At once in service' },
  ],
  operations: ['numbers.create'],
  load: async () => numberHandler('create', 'Added'),
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
    load: async () => numberHandler(verb, done),
  };
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

/** The state that a move leads to; a number that is added may come in any. */
const stateAfter = new Map([
  ['activate', 'in_service'],
  ['reserve', 'reserved'],
  ['port-in', 'port_in'],
]);

/** Makes the handler that adds a number or moves it to another state, with what was given of its record. */
function numberHandler(verb: string, done: string): Handler<ParsedInput> {
  const operation = operationFor(numbers, verb);
  return async (input, context) => {
    const data = await readBody(context, numbers, operation, input);
    const ids: string[] = [];
    for (const word of wordsOf(input)) ids.push((await findNamed(context, numbers, word)).id);
    const deeds = [...new Set(ids)].map((id) => ({
      label: `number ${id}`,
      call: { operation, path: pathTo(numbers, id), data },
      message: (answer: Json) => `${done} number ${idIn(answer) ?? id}${stateIn(answer)}.`,
      resource: 'numbers' as const,
      async lookUp(api: Api) {
        const record = await recordIfThere(api, numbers, id);
        const wanted = stateAfter.get(verb) ?? record?.state;
        return record?.state === wanted ? record : undefined;
      },
    }));
    return actMany(context, numbers, deeds, { doing: `${inWords(verb)} numbers`, done });
  };
}

/** The numbers of a line: one argument, or several. */
const wordsOf = ({ id, numbers: several }: ParsedInput): readonly string[] =>
  Array.isArray(several) ? several.map(String) : [String(id)];

const idIn = (data: Json): string | undefined =>
  isObject(data) && typeof data.id === 'string' ? data.id : undefined;

const stateIn = (data: Json): string =>
  isObject(data) && typeof data.state === 'string' ? ` (${data.state})` : '';
