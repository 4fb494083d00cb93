import { Failure } from '../../../base/failure.ts';
import type { Api, Call } from '../../../client/api/api.ts';
import type { Meant } from '../../../contract/paths.ts';
import { resourceOf } from '../../../contract/resource.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import { askToDeleteAccount } from '../accounts/delete.ts';
import { askToDelete } from '../generic/delete.ts';
import { askForName } from '../guard-request.ts';

/** True for the deletion of one record that can be read: that is asked about with what refers to it. */
function deletesRecord({ method, verb, path }: Operation, { operations, idParameter }: Resource): boolean {
  const isOwn = path.endsWith(idParameter === undefined ? '' : `/{${idParameter}}`);
  return method === 'DELETE' && verb === 'delete' && isOwn && operations.some((each) => each.verb === 'get');
}

/**
 * Asks what the named command of an operation would ask before it sends the request, and sends nothing that changes
 * something. Throws `Failure` with that command's exit codes.
 */
export async function askBefore(context: Context, meant: Meant, force: boolean): Promise<void> {
  const { operation, path } = meant;
  const resource = resourceOf(operation);
  if (context.options.dryRun) return context.guard(meant);
  if (operation.id === 'accounts.delete') {
    await askToDeleteAccount(context, path.account_id ?? '');
    return;
  }
  if (deletesRecord(operation, resource)) {
    const id = path[resource.idParameter ?? ''] ?? resource.name;
    await askToDelete(await inAccount(context, path.account_id), resource, id, force);
    return;
  }
  await context.guard(meant);
  if (operation.asks?.yesAnswers) return askForName(context, meant, true);
  const isAsked = operation.asks !== undefined || operation.effect !== 'destructive';
  if (isAsked || (await context.ask.confirm(`${operation.summary}?`, { option: '--yes' }))) return;
  throw new Failure('interrupted', 'Nothing was sent.');
}

/** The context of the account that a path names. */
export async function inAccount(context: Context, accountId: string | undefined): Promise<Context> {
  if (accountId === undefined || accountId === (await context.accountId())) return context;
  const within = async (open: () => Promise<Api>): Promise<Api> => {
    const api = await open();
    const placed = (call: Call): Call => ({ ...call, path: { account_id: accountId, ...call.path } });
    return {
      ...api,
      call: (one) => api.call(placed(one)),
      pages: (one) => api.pages(placed(one)),
      plan: (one) => api.plan(placed(one)),
    };
  };
  return {
    ...context,
    settings: { ...context.settings, account: { value: accountId, source: 'option', from: 'PATH' } },
    accountId: async () => accountId,
    api: () => within(context.api),
    bulkApi: (...given) => within(() => context.bulkApi(...given)),
    cleanupApi: () => within(context.cleanupApi),
  };
}
