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

/** Context members that call the service in one account. */
export type AccountClients = Pick<Context, 'accountId' | 'api' | 'bulkApi' | 'cleanupApi' | 'guard'>;

/** Parts that all clients of one run share, across accounts. */
export interface SharedClientParts extends Pick<ApiParts, 'recorder' | 'forbids' | 'approve' | 'dryRun'> {
  readonly parts: SessionParts;
  /** Determines who is signed in. */
  openSession(parts: SessionParts): Promise<Session>;
  session(): Promise<Session>;
  /** Returns the consent to charges: the run's own, or a given one. */
  agreement(consent?: Consent): NonNullable<ApiParts['charges']>['agreement'];
  readonly revisions: KnownRevisions;
  readonly memory: GuardMemory;
  /** The operation that the command is named after. It is sent even if the service is known not to offer it. */
  readonly operation: string | undefined;
  /** Called when a change is sent. */
  sends(): void;
  context(): Context;
}

/** Longest wait for a cleanup request. */
const cleanupMs = 5000;

/** The clients of an account, each opened on first use. The account `payer` is asked to accept charges. */
export function clientsFor(
  speaker: SharedClientParts,
  account: () => Promise<string>,
  payer: Payer,
  revisions = speaker.revisions,
): AccountClients {
  const { settings, host } = speaker.parts;
  const charged = async (by: Payer, consent?: Consent) => ({
    charges: { agreement: speaker.agreement(consent), payer: by, facts: await speaker.session() },
    revisions,
  });
  const clients: AccountClients = {
    accountId: account,
    guard: guardOf(speaker, () => clients, { mayAsk: payer.mayAsk, protects: true }),
    api: memoize(async () =>
      openApi(speaker, await account(), { ...(await charged(payer)), guard: clients.guard }),
    ),
    async bulkApi(name, options) {
      host.allowFinish();
      const named = name === undefined ? payer : { ...payer, account: async () => name };
      return openApi(speaker, await account(), {
        finishesRequests: true,
        ...(await charged(named, options?.consent)),
        guard: guardOf(speaker, () => clients, { mayAsk: false, protects: options === undefined }),
        ...(options ? { recorder: undefined } : {}),
      });
    },
    cleanupApi: memoize(async () => {
      host.allowFinish();
      const undisturbed = { ...host, interrupted: new AbortController().signal };
      const limited = { ...settings, timeoutMs: { ...settings.timeoutMs, value: cleanupMs } };
      const parts = { ...speaker.parts, host: undisturbed, settings: limited, askSecret: undefined };
      const session = () => speaker.openSession(parts);
      const more = { signal: undefined, timeoutMs: cleanupMs, retries: 1 };
      return openApi({ ...speaker, session }, await account(), more);
    }),
  };
  return clients;
}

/** The client of the signed-in account. `--account` does not affect it. */
export const ownClient = (speaker: SharedClientParts): (() => Promise<Api>) =>
  memoize(async () => {
    const session = await speaker.session();
    const account = async () => quotedAccount(asOwn(speaker.context()));
    return openApi(speaker, session.profile.accountId, {
      charges: { agreement: speaker.agreement(), payer: { account, mayAsk: true }, facts: session },
      guard: guardOf(speaker, speaker.context, { mayAsk: true, protects: true }),
    });
  });

/**
 * Returns the id of the chosen account, or of the signed-in one. Looks names up below the signed-in account. Throws if
 * there is no account.
 */
export async function chosenAccount(speaker: SharedClientParts): Promise<string> {
  const { profile } = await speaker.session();
  const { value: named, source, from } = speaker.parts.settings.account;
  if (named === undefined || named === profile.accountName) return profile.accountId;
  if (/^[0-9a-f]{32}$/.test(named)) return named;
  const { findAccount } = await import('../commands/bulk/choose-accounts.ts');
  const context = speaker.context();
  const own = { accountId: async () => profile.accountId, api: context.ownApi };
  return findAccount({ ...asOwn(context), ...own }, named).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'not_found' || source === 'option') throw error;
    throw new Failure(error.kind, error.lines, { hint: `${from} names the account.`, cause: error });
  });
}

const unnamed: Settings['account'] = { value: undefined, source: 'default', from: '' };

const asOwn = (context: Context): Context => ({
  ...context,
  settings: { ...context.settings, account: unnamed },
});

/** Guards the requests of an account. Loads nothing until a request needs a guard. */
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

async function openApi(speaker: SharedClientParts, accountId: string, more: Partial<ApiParts>): Promise<Api> {
  const [{ createApi }, authorizer] = await Promise.all([
    import('../../client/api/create-api.ts'),
    speaker.session(),
  ]);
  const { profile } = authorizer;
  const prefix = speaker.parts.settings.prefix.value ?? profile.prefix;
  const address = { baseUrl: profile.baseUrl, prefix, accountId };
  const learned = authorizer.learned().conformance;
  return createApi({
    ...(await apiPartsFor(speaker.parts, { ...address, authorizer })),
    onRepeats(operation, again) {
      const list = humanize(pluralIn(resourceOf(operation)));
      speaker.parts.warn(
        `The list of ${list} changed while telctl read it: the service returned ${formatCount(again, 'record')} twice. Duplicates were ignored.`,
      );
    },
    revisions: speaker.revisions,
    recorder: speaker.recorder,
    profile: profile.name === environmentName ? undefined : profile.name,
    readOnly: profile.protect === 'read-only' ? profile.name : undefined,
    notOffered: new Set(learned?.notOffered.filter((id) => id !== speaker.operation)),
    onChange: speaker.sends,
    learned,
    onOwnId: async (takesOwnIds) => authorizer.learn({ takesOwnIds }),
    dryRun: speaker.dryRun,
    onUnreadNumber: (text, country) => warnUnread(speaker.context().notices, text, country),
    forbids: speaker.forbids,
    approve: speaker.approve,
    ...more,
  });
}
