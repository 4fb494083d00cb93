import type { JsonObject } from '../../../../base/json.ts';
import { type Command, defineCommand, type InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { ListResult, Result } from '../../../../cli/command/result.ts';
import { wouldDo } from '../../../../cli/commands/change.ts';
import { controlOf } from '../../control-line.ts';
import { controlOptions, givenTo, nameOptions } from '../options.ts';

const phoneArguments = {
  phone: {
    name: 'PHONE',
    doc: 'A device by id, name, MAC or SIP user name, or a user: all devices of the user',
  },
} as const;

const registerOptions = {
  ...controlOptions('registerPhones', { expires: { value: 'SECONDS' }, user_agent: { value: 'TEXT' } }),
  ...nameOptions,
} as const;

const register = defineCommand({
  path: ['sandbox', 'phone', 'register'],
  summary: 'Register a phone, so that it rings',
  description:
    "A simulated phone with the credentials of its device. It stays registered until that expires on the sandbox's clock, unless it registers again; webhooks are told of both. Simulated calls ring the devices that are registered; for a user without any device the user answers, except with --like kazoo.",
  arguments: phoneArguments,
  options: registerOptions,
  account: true,
  effect: 'local',
  examples: {
    'telctl sandbox phone register alice': 'All phones of a user',
    'telctl sandbox phone register desk --expires 86400': 'One, for a day',
  },
  load: async () => registerPhones,
});

const unregister = defineCommand({
  path: ['sandbox', 'phone', 'unregister'],
  summary: 'End the registration of a phone',
  arguments: phoneArguments,
  options: nameOptions,
  account: true,
  effect: 'local',
  examples: { 'telctl sandbox phone unregister alice': 'Calls do not ring there any more' },
  load: async () => unregisterPhones,
});

export const phoneCommands: readonly Command[] = [
  register,
  unregister,
  defineCommand({
    path: ['sandbox', 'phone', 'list'],
    summary: 'List the phones of an account, and which of them are registered',
    options: nameOptions,
    account: true,
    effect: 'local',
    examples: { 'telctl sandbox phone list': 'Who would ring' },
    load: async () => listPhones,
  }),
];

const namesOf = (phones: readonly JsonObject[]): string =>
  phones.map(({ device }) => `device ${String(device)}`).join(', ');

async function registerPhones(
  input: InputOf<typeof registerOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await controlOf(context, input.name);
  const value = await control.request('registerPhones', givenTo('registerPhones', input, context));
  const { phones, refused } = value;
  for (const each of refused) context.notices.warn(`Not registered: ${each}.`);
  const until = phones[0]?.until;
  const what = `${namesOf(phones)} in ${String(value.account_name)} until ${String(until)}`;
  return context.options.dryRun
    ? wouldDo(`register ${what}`)
    : { kind: 'done', message: `Registered ${what}`, value };
}

async function unregisterPhones(
  input: InputOf<typeof nameOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { dryRun } = context.options;
  const value = await control.request('unregisterPhones', givenTo('unregisterPhones', input, context));
  const { phones } = value;
  const what = phones.length === 0 ? 'nothing: no such phone was registered' : namesOf(phones);
  return dryRun ? wouldDo(`unregister ${what}`) : { kind: 'done', message: `Unregistered ${what}`, value };
}

async function listPhones(input: InputOf<typeof nameOptions>, context: Context): Promise<ListResult> {
  const control = await controlOf(context, input.name);
  return {
    kind: 'list',
    items: (await control.request('phones', givenTo('phones', input, context))).phones,
    noun: 'phones',
    columns: [
      { header: 'DEVICE', paths: ['device'] },
      { header: 'USERNAME', paths: ['username'] },
      { header: 'REGISTERED', paths: ['registered'], show: 'flag' },
      { header: 'UNTIL', paths: ['until'], show: 'time' },
      { header: 'USER AGENT', paths: ['user_agent'] },
      { header: 'WHY NOT', paths: ['why'], show: 'sentence', sparse: true },
      { header: 'ID', paths: ['device_id'], show: 'id' },
    ],
  };
}
