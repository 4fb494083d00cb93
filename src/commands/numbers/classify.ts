import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { numberArguments } from './commands.ts';

/** Shows what kind of number it is, whoever has it. */
export async function classifyNumber(
  { number }: InputOf<Record<never, never>, typeof numberArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, numbers, number);
  const call = { operation: operationFor(numbers, 'classify'), path: pathTo(numbers, id) };
  const { data } = await (await context.api()).call(call);
  return { kind: 'item', value: data, resource: 'numbers' };
}
