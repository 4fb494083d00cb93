import { Failure } from '../../base/failure.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { operationFor } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';
import type { samplesArguments } from './commands.ts';

/** Compatible services name a sample by its hook, with this before it. */
const prefix = 'webhooks_';

/**
 * Lists the samples of the service, or shows the payloads of one, named by itself or by its hook (Conventions, webhook
 * endpoints). Throws `Failure` of kind `not_found` for one that there is not, with the nearest.
 */
export async function showSamples(
  { name }: InputOf<Record<never, never>, typeof samplesArguments>,
  context: Context,
): Promise<Result> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(webhooks, 'samples') });
  const names = Array.isArray(data) ? data.filter((each) => typeof each === 'string') : [];
  if (name === undefined)
    return {
      kind: 'list',
      items: names.map((id) => ({ id })),
      columns: [{ header: 'SAMPLE', paths: ['id'] }],
      noun: 'samples',
    };
  const sample = [name, `${prefix}${name}`].find((each) => names.includes(each));
  if (sample === undefined) {
    const near = nearest(name, [...names, ...names.map((each) => each.replace(prefix, ''))]);
    throw new Failure('not_found', `There is no sample ${JSON.stringify(name)}.${didYouMean(near)}`, {
      hint: 'To list them: telctl webhooks samples',
    });
  }
  const reply = await api.call({
    operation: operationFor(webhooks, 'sample'),
    path: { sample_name: sample },
  });
  return { kind: 'document', text: JSON.stringify(reply.data, null, 2), value: reply.data };
}

/** Lists the hooks that the service offers; its list is the authority (Events). */
export async function listHooks(_: unknown, context: Context): Promise<ListResult> {
  const api = await context.api();
  return {
    kind: 'list',
    items: flattened(api.pages({ operation: operationFor(webhooks, 'hooks') })),
    columns: [
      { header: 'HOOK', paths: ['id'] },
      { header: 'NAME', paths: ['name'] },
      { header: 'DESCRIPTION', paths: ['description'] },
    ],
    noun: 'hooks',
  };
}
