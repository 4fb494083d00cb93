import type { Plan } from '../../../../engine/manifest/plan.ts';
import { unmanagedIn } from '../../../../engine/manifest/read-kind.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { AccountPlanning, Planning } from '../../planning.ts';
import { leftOutOf } from '../export/left-out.ts';
import type { lookingOptions } from './plan-commands.ts';
import { listedPrices } from './price-list.ts';

/**
 * Plans with what else is looked at: prices of what they add, with `--drift` what others changed alone, with
 * `--unmanaged` what no manifest names.
 */
export async function lookedAt(
  context: Context,
  planning: Planning,
  { drift, unmanaged }: Partial<InputOf<typeof lookingOptions>>,
): Promise<Planning> {
  const accounts: AccountPlanning[] = [];
  for (const account of planning.accounts)
    accounts.push({
      ...(drift ? driftIn(context, account) : account),
      ...(unmanaged ? await unmanagedOf(context, account) : {}),
      ...(drift ? {} : await pricesOf(context, account)),
    });
  return { ...planning, accounts };
}

function driftIn({ notices }: Context, account: AccountPlanning): AccountPlanning {
  const { plan, observed, ledger } = account;
  if (ledger === undefined)
    notices.warn(
      `Nothing was applied to ${plan.account.name} from this state, so that nothing is known of drift.`,
    );
  const shown = driftOnly(plan, observed.vanished);
  return { ...account, plan: shown, refusal: undefined, inUse: undefined };
}

async function pricesOf(
  context: Context,
  { plan }: AccountPlanning,
): Promise<Pick<AccountPlanning, 'prices' | 'unpriced'>> {
  const { prices, unpriced } = await listedPrices(context, plan);
  return { unpriced, ...(prices.length === 0 ? {} : { prices }) };
}

async function unmanagedOf(
  { api, notices, settings }: Context,
  { service, observed, ledger }: AccountPlanning,
): Promise<Pick<AccountPlanning, 'unmanaged'>> {
  const { id } = observed.account;
  if (service === undefined || id === undefined) return {};
  for (const each of await leftOutOf(await api(), id, (kind) => observed.listed.get(kind)))
    notices.say(`${observed.account.name}: ${each}`);
  return { unmanaged: await unmanagedIn(service, observed, ledger, settings.concurrency.value) };
}

/**
 * The part of a plan that sets back what others did since the last apply: fields that they changed, objects that they
 * deleted (`vanished`). Its steps say what they are about, and send nothing.
 */
function driftOnly(plan: Plan, vanished: ReadonlySet<string>): Plan {
  const { kept: _, ...rest } = plan;
  return {
    ...rest,
    steps: plan.steps.flatMap(({ send: _send, by: _by, ...step }) => {
      if (step.action === 'create' && vanished.has(step.key)) return [{ ...step, changes: [] }];
      const changes = step.changes.filter(({ drift }) => drift === true);
      return step.action === 'update' && changes.length > 0 ? [{ ...step, changes }] : [];
    }),
  };
}
