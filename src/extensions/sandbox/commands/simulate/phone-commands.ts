import type { JsonObject } from '../../../../base/json.ts';
import { type Command, defineCommand, type InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { ListResult, Result } from '../../../../cli/command/result.ts';
import { dryRunMessage } from '../../../../cli/commands/change.ts';
import { openControl } from '../../control-client.ts';
import { controlInput, controlOptions, nameOptions } from '../options.ts';

const phoneArguments = {
  phone: {
    name: 'PHONE',
    doc: 'A device by id, name, MAC or SIP user name, or a user for all of their devices',
  },
} as const;

const registerOptions = {
  ...controlOptions('registerPhones', { expires: { value: 'SECONDS' }, user_agent: { value: 'TEXT' } }),
  ...nameOptions,
} as const;

const register = defineCommand({
  path: ['sandbox', 'phone', 'register'],
  summary: 'Register a phone, so that calls ring it',
  description:
    "Registers a simulated phone with the credentials of its device. The registration expires by the sandbox's clock unless the phone registers again. Webhooks receive both events. Simulated calls ring registered devices. A user without devices answers calls directly, except with --like kazoo.",
  arguments: phoneArguments,
  options: registerOptions,
  account: true,
  effect: 'local',
  examples: {
    'telctl sandbox phone register alice': 'Register all phones of a user',
    'telctl sandbox phone register desk --expires 86400': 'Register one phone for a day',
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
  examples: { 'telctl sandbox phone unregister alice': 'Stop ringing the phones of alice' },
  load: async () => unregisterPhones,
});

export const phoneCommands: readonly Command[] = [
  register,
  unregister,
  defineCommand({
    path: ['sandbox', 'phone', 'list'],
    summary: 'List the phones of an account, and whether they are registered',
    options: nameOptions,
    account: true,
    effect: 'local',
    examples: { 'telctl sandbox phone list': 'List phones that calls would ring' },
    load: async () => listPhones,
  }),
];

const formatDevices = (phones: readonly JsonObject[]): string =>
  phones.map(({ device }) => `device ${String(device)}`).join(', ');

async function registerPhones(
  input: InputOf<typeof registerOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await openControl(context, input.name);
  const value = await control.request('registerPhones', controlInput('registerPhones', input, context));
  const { phones, refused } = value;
  for (const each of refused) context.notices.warn(`Not registered: ${each}.`);
  const until = phones[0]?.until;
  const what = `${formatDevices(phones)} in ${String(value.account_name)} until ${String(until)}`;
  return context.options.dryRun
    ? dryRunMessage(`register ${what}`)
    : { kind: 'done', message: `Registered ${what}`, value };
}

async function unregisterPhones(
  input: InputOf<typeof nameOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await openControl(context, input.name);
  const { dryRun } = context.options;
  const value = await control.request('unregisterPhones', controlInput('unregisterPhones', input, context));
  const { phones } = value;
  const what = phones.length === 0 ? 'no phones: none of them was registered' : formatDevices(phones);
  return dryRun
    ? dryRunMessage(`unregister ${what}`)
    : { kind: 'done', message: `Unregistered ${what}`, value };
}

async function listPhones(input: InputOf<typeof nameOptions>, context: Context): Promise<ListResult> {
  const control = await openControl(context, input.name);
  return {
    kind: 'list',
    items: (await control.request('phones', controlInput('phones', input, context))).phones,
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
