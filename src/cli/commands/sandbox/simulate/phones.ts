import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import { controlOf } from '../../../../sandbox/control-line.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { ListResult, Result } from '../../../command/result.ts';
import { wouldDo } from '../../change.ts';
import type { nameOptions } from '../options.ts';
import { accountIn } from './calls.ts';
import type { phoneArguments, registerOptions } from './phone-commands.ts';

const phonesIn = ({ phones }: JsonObject): readonly JsonObject[] =>
  Array.isArray(phones) ? phones.filter(isObject) : [];

const namesOf = (phones: readonly JsonObject[]): string =>
  phones.map(({ device }) => `device ${String(device)}`).join(', ');

const lines = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export async function registerPhones(
  input: InputOf<typeof registerOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await controlOf(context, input.name);
  const value = await control.post('/sandbox/phones/register', {
    ...accountIn(context),
    phone: input.phone,
    expires: input.expires,
    user_agent: input.userAgent,
    dry_run: context.options.dryRun,
  });
  const phones = phonesIn(value);
  for (const each of lines(value.refused)) context.notices.warn(`Not registered: ${each}.`);
  const until = phones[0]?.until;
  const what = `${namesOf(phones)} in ${String(value.account_name)} until ${String(until)}`;
  return context.options.dryRun
    ? wouldDo(`register ${what}`)
    : { kind: 'done', message: `Registered ${what}`, value };
}

export async function unregisterPhones(
  input: InputOf<typeof nameOptions, typeof phoneArguments>,
  context: Context,
): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { dryRun } = context.options;
  const value = await control.post('/sandbox/phones/unregister', {
    ...accountIn(context),
    phone: input.phone,
    dry_run: dryRun,
  });
  const phones = phonesIn(value);
  const what = phones.length === 0 ? 'nothing: no such phone was registered' : namesOf(phones);
  return dryRun ? wouldDo(`unregister ${what}`) : { kind: 'done', message: `Unregistered ${what}`, value };
}

export async function listPhones(input: InputOf<typeof nameOptions>, context: Context): Promise<ListResult> {
  const control = await controlOf(context, input.name);
  const { account } = accountIn(context);
  const query = typeof account === 'string' ? `?${new URLSearchParams({ account })}` : '';
  return {
    kind: 'list',
    items: phonesIn(await control.get(`/sandbox/phones${query}`)),
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
