import { memoize } from '../../base/concurrency.ts';
import { Failure } from '../../base/failure.ts';
import { formatCount, humanize } from '../../base/wording.ts';
import type { Payer } from '../../client/api/accept-charges.ts';
import type { Api, ApiParts, GuardedRequest } from '../../client/api/api.ts';
import type { KnownRevisions } from '../../client/api/revisions.ts';
import { environmentName } from '../../client/session/choose-identity.ts';
import { apiPartsFor, type Session, type SessionParts } from '../../client/session/session.ts';
import type { Settings } from '../../client/session/settings.ts';
import { isGuarded } from '../../contract/guards.ts';
import { pluralIn, resourceOf } from '../../contract/resource.ts';
import type { Consent, Context } from '../command/context.ts';
import type { GuardMemory } from '../commands/guards/guard-request.ts';
import { quotedAccount } from '../commands/labels.ts';
import { warnUnread } from '../commands/records/national-numbers.ts';

export type AccountClients = Pick<Context, 'accountId' | 'api' | 'bulkApi' | 'cleanupApi' | 'guard'>;

/** Parts that all clients of one run share, across accounts. */
export interface SharedClientParts extends Pick<ApiParts, 'recorder' | 'forbids' | 'approve' | 'dryRun'> {
  readonly parts: SessionParts;
  openSession(parts: SessionParts): Promise<Session>;
  session(): Promise<Session>;
  agreement(consent?: Consent): NonNullable<ApiParts['charges']>['agreement'];
  readonly revisions: KnownRevisions;
  readonly memory: GuardMemory;
  /** The operation in the name of the command. It is sent even if the service is known not to offer it. */
  readonly operation: string | undefined;
  sends(): void;
  context(): Context;
}

const cleanupMs = 5000;

/** Returns the clients of an account. Each is opened on first use. The account `payer` is asked to accept charges. */
export function clientsFor(
  shared: SharedClientParts,
  account: () => Promise<string>,
  payer: Payer,
  revisions = shared.revisions,
): AccountClients {
  const { host } = shared.parts;
  const open = async (parts: Partial<ApiParts>, charges: Payer, consent?: Consent): Promise<Api> =>
    openApi(shared, await account(), {
      ...parts,
      revisions,
      charges: { agreement: shared.agreement(consent), payer: charges, facts: await shared.session() },
    });
  const guardFor = (mayAsk: boolean, protects = true) => guardOf(shared, () => clients, { mayAsk, protects });
  const clients: AccountClients = {
    accountId: account,
    guard: guardFor(payer.mayAsk),
    api: memoize(() => open({ guard: clients.guard }, payer)),
    async bulkApi(name, options) {
      host.allowFinish();
      const isRecorded = options === undefined;
      const parts: Partial<ApiParts> = { finishesRequests: true, guard: guardFor(false, isRecorded) };
      const charges = name === undefined ? payer : { ...payer, account: async () => name };
      return open(isRecorded ? parts : { ...parts, recorder: undefined }, charges, options?.consent);
    },
    cleanupApi: memoize(async () => {
      host.allowFinish();
      return openApi(cleanupParts(shared), await account(), {
        signal: undefined,
        timeoutMs: cleanupMs,
        retries: 1,
      });
    }),
  };
  return clients;
}

/** Client parts for requests that neither Ctrl-C nor a slow sign-in delays. */
function cleanupParts(shared: SharedClientParts): SharedClientParts {
  const { parts } = shared;
  const uninterrupted: SessionParts = {
    ...parts,
    host: { ...parts.host, interrupted: new AbortController().signal },
    settings: { ...parts.settings, timeoutMs: { ...parts.settings.timeoutMs, value: cleanupMs } },
    askSecret: undefined,
  };
  return { ...shared, session: () => shared.openSession(uninterrupted) };
}

/** Returns the client of the signed-in account. `--account` does not affect it. */
export const ownClient = (shared: SharedClientParts): (() => Promise<Api>) =>
  memoize(async () => {
    const session = await shared.session();
    const account = async () => quotedAccount(withoutAccountOption(shared.context()));
    return openApi(shared, session.profile.accountId, {
      charges: { agreement: shared.agreement(), payer: { account, mayAsk: true }, facts: session },
      guard: guardOf(shared, shared.context, { mayAsk: true, protects: true }),
    });
  });

/** Returns the id of the chosen or signed-in account. Throws if there is no account. */
export async function chosenAccount(shared: SharedClientParts): Promise<string> {
  const { profile } = await shared.session();
  const { value: named, source, from } = shared.parts.settings.account;
  if (named === undefined || named === profile.accountName) return profile.accountId;
  if (/^[0-9a-f]{32}$/.test(named)) return named;
  const { findAccount } = await import('../commands/bulk/choose-accounts.ts');
  const context = shared.context();
  const own = { accountId: async () => profile.accountId, api: context.ownApi };
  return findAccount({ ...withoutAccountOption(context), ...own }, named).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'not_found' || source === 'option') throw error;
    throw new Failure(error.kind, error.lines, { hint: `${from} names the account.`, cause: error });
  });
}

const noAccountOption: Settings['account'] = { value: undefined, source: 'default', from: '' };

const withoutAccountOption = (context: Context): Context => ({
  ...context,
  settings: { ...context.settings, account: noAccountOption },
});

/** Guards the requests of an account. Loads modules only if a request needs a guard. */
function guardOf(
  { forbids, memory, context }: SharedClientParts,
  account: () => Pick<Context, 'accountId' | 'api'>,
  { mayAsk, protects }: { readonly mayAsk: boolean; readonly protects: boolean },
): Context['guard'] {
  return async (request: GuardedRequest) => {
    if (!isGuarded(request.operation, request.data)) return;
    const { guardRequest } = await import('../commands/guards/guard-request.ts');
    await guardRequest({ ...context(), ...account() }, request, {
      mayAsk: mayAsk && !forbids,
      asksPerson: forbids !== undefined,
      protects,
      checksEmergency: protects,
      memory,
    });
  };
}

async function openApi(shared: SharedClientParts, accountId: string, more: Partial<ApiParts>): Promise<Api> {
  const [{ createApi }, authorizer] = await Promise.all([
    import('../../client/api/create-api.ts'),
    shared.session(),
  ]);
  const { profile } = authorizer;
  const prefix = shared.parts.settings.prefix.value ?? profile.prefix;
  const address = { baseUrl: profile.baseUrl, prefix, accountId };
  const learned = authorizer.learned().conformance;
  return createApi({
    ...(await apiPartsFor(shared.parts, { ...address, authorizer })),
    onRepeats(operation, count) {
      const list = humanize(pluralIn(resourceOf(operation)));
      shared.parts.warn(
        `The list of ${list} changed while telctl read it: the service returned ${formatCount(count, 'record')} twice. Duplicates were ignored.`,
      );
    },
    revisions: shared.revisions,
    recorder: shared.recorder,
    profile: profile.name === environmentName ? undefined : profile.name,
    readOnly: profile.protect === 'read-only' ? profile.name : undefined,
    notOffered: new Set(learned?.notOffered.filter((id) => id !== shared.operation)),
    onChange: shared.sends,
    learned,
    onOwnId: async (takesOwnIds) => authorizer.learn({ takesOwnIds }),
    dryRun: shared.dryRun,
    onUnreadNumber: (text, country) => warnUnread(shared.context().notices, text, country),
    forbids: shared.forbids,
    approve: shared.approve,
    ...more,
  });
}
