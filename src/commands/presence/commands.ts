import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { hotdesks } from '../../contract/resources/hotdesks.ts';
import { presence } from '../../contract/resources/presence.ts';
import type { Column } from '../../contract/types.ts';
import { act } from '../act.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import { neededOwner, ownerIn, ownerOptions } from '../owners.ts';

const extension = {
  name: 'EXTENSION',
  doc: 'What the lamp is for: an extension or the name of a phone',
} as const;
const extensionArguments = { extension } as const;
const eventOptions = {
  event: {
    flag: 'event',
    value: 'WORD',
    choices: ['dialog', 'presence', 'message-summary'],
    doc: 'Only of this event',
  },
} as const;
const resetArguments = {
  extension: { ...extension, optional: true, excludes: ['user', 'device'] },
} as const;
const setOptions = {
  ...ownerOptions,
  show: {
    flag: 'show',
    value: 'WORD',
    choices: ['confirmed', 'early', 'terminated'],
    doc: 'What the lamps show: on, blinking or off',
  },
} as const;

type None = Record<never, never>;

/** The entries of what is an object. */
const entriesOf = (value: unknown): readonly (readonly [string, Json | undefined])[] =>
  isObject(value) ? Object.entries(value) : [];

/** What is watched: a row for each event with how many phones watch it, or one for each of them. */
const rowsOf = (data: Json): readonly JsonObject[] =>
  entriesOf(isObject(data) ? data.subscriptions : undefined).flatMap(([extension, events]) =>
    entriesOf(events).flatMap(([event, calls]): readonly JsonObject[] =>
      isObject(calls)
        ? entriesOf(calls).map(([call_id, each]) => ({
            ...{ extension, event, call_id },
            ...(isObject(each) ? each : {}),
          }))
        : [{ extension, event, count: calls ?? 0 }],
    ),
  );

const watchColumns: readonly Column[] = [
  { header: 'EVENT', paths: ['event'] },
  { header: 'WATCHED BY', paths: ['from'] },
  { header: 'SINCE', paths: ['timestamp'], show: 'time' },
  { header: 'EXPIRES', paths: ['expires'] },
];

/** Lists which extensions are watched. */
async function listWatched({ event }: InputOf<typeof eventOptions>, context: Context): Promise<ListResult> {
  const query = event === undefined ? {} : { event };
  const { data } = await (await context.api()).call({ operation: operationFor(presence, 'summary'), query });
  return {
    kind: 'list',
    items: rowsOf(data),
    noun: 'watched extensions',
    columns: [
      { header: 'EXTENSION', paths: ['extension'] },
      { header: 'EVENT', paths: ['event'] },
      { header: 'PHONES', paths: ['count'] },
    ],
  };
}

/** Lists the phones that watch an extension. */
async function showExtension(
  { extension: word }: InputOf<None, typeof extensionArguments>,
  context: Context,
): Promise<ListResult> {
  const call = { operation: operationFor(presence, 'get'), path: { extension: word } };
  const { data } = await (await context.api()).call(call);
  return { kind: 'list', items: rowsOf(data), noun: 'phones', columns: watchColumns };
}

/** Lets lamps show what is: of an extension, or of all phones of a user or a device. */
async function reset(
  { extension: word, ...input }: InputOf<typeof ownerOptions, typeof resetArguments>,
  context: Context,
): Promise<Result> {
  if (word !== undefined) {
    const call = { operation: operationFor(presence, 'reset'), path: { extension: word } };
    return act(context, { call, message: (data) => `Service: ${String(data)}.` });
  }
  const owner = await ownerIn(input, context);
  if (!owner) throw new Failure('usage', 'Say which: EXTENSION, --user USER or --device DEVICE.');
  const operation = operationFor(presence, `set-of-${owner.of}`);
  const call = { operation, path: owner.path, data: { action: 'reset' } };
  return act(context, { call, message: (data) => `Service, for ${owner.label}: ${String(data)}.` });
}

/** Sets the lamps of a user or a device. */
async function set(input: InputOf<typeof setOptions>, context: Context): Promise<Result> {
  const { show: state } = input;
  if (state === undefined)
    throw new Failure('usage', 'Say what they show: --show confirmed, early or terminated.');
  const owner = await neededOwner(input, context);
  const operation = operationFor(presence, `set-of-${owner.of}`);
  const call = { operation, path: owner.path, data: { action: 'set', state } };
  return act(context, { call, message: (data) => `Service, for ${owner.label}: ${String(data)}.` });
}

/** Everything under `telctl presence`. */
export const presenceCommands: readonly Command[] = [
  defineCommand({
    path: ['presence', 'list'],
    summary: 'List which extensions are watched, and by how many phones',
    arguments: {},
    options: eventOptions,
    effect: 'read',
    examples: [{ line: 'telctl presence list --event dialog', doc: 'Lamps for calls' }],
    operations: ['presence.summary'],
    load: async () => listWatched,
  }),
  defineCommand({
    path: ['presence', 'get'],
    summary: 'Show who watches an extension',
    arguments: extensionArguments,
    options: {},
    effect: 'read',
    examples: [{ line: 'telctl presence get 1001', doc: 'The phones, and until when' }],
    operations: ['presence.get'],
    load: async () => showExtension,
  }),
  defineCommand({
    path: ['presence', 'reset'],
    summary: 'Let lamps show what is',
    arguments: resetArguments,
    options: ownerOptions,
    effect: 'write',
    examples: [{ line: 'telctl presence reset 1001', doc: 'A lamp that stayed on' }],
    operations: ['presence.reset', 'presence.set-of-user', 'presence.set-of-device'],
    load: async () => reset,
  }),
  defineCommand({
    path: ['presence', 'set'],
    summary: 'Set the lamps of a user or a device by hand',
    arguments: {},
    options: setOptions,
    effect: 'write',
    examples: [
      { line: 'telctl presence set --user alice --show confirmed', doc: 'As if she were on the phone' },
    ],
    operations: ['presence.set-of-user', 'presence.set-of-device'],
    load: async () => set,
  }),
];

/** Lists who is signed in on which phone. */
async function listHotdesks(input: InputOf<typeof ownerOptions>, context: Context): Promise<ListResult> {
  const owner = await ownerIn(input, context);
  const operation = operationFor(hotdesks, owner ? `of-${owner.of}` : 'list');
  const pages = (await context.api()).pages({ operation, path: owner?.path ?? {} });
  return { kind: 'list', items: flattened(pages), resource: 'hotdesks', noun: 'hotdesks' };
}

/** Everything under `telctl hotdesks`. */
export const hotdesksCommands: readonly Command[] = [
  defineCommand({
    path: ['hotdesks', 'list'],
    summary: 'List who is signed in on which phone',
    arguments: {},
    options: ownerOptions,
    effect: 'read',
    examples: [{ line: 'telctl hotdesks list --user alice', doc: 'The phones on which she is' }],
    operations: ['hotdesks.list', 'hotdesks.of-user', 'hotdesks.of-device'],
    shows: 'hotdesks',
    load: async () => listHotdesks,
  }),
];
