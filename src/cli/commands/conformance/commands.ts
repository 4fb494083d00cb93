import { isObject } from '../../../base/json.ts';
import { quoted } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Session } from '../../../client/session/session.ts';
import { operationById, operations } from '../../../contract/catalogue.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed, wouldSend } from '../change.ts';
import { accountName } from '../labels.ts';
import { commandNames } from '../nouns.ts';
import { refuseReadOnly } from '../protection.ts';
import type { Behaviours, ChangeBehaviours } from './behaviours.ts';
import { type Finding, isForeign, notTried } from './judge.ts';
import { type Ask, readAll, refusalsOfUnknownPaths } from './reads.ts';
import { dataOf, watchRate } from './replies.ts';
import { conformanceReport } from './report.ts';
import { reasonAgainst } from './samples.ts';
import { hexId, subAccountName, tryWrites } from './try-writes.ts';
import { subAccountData } from './writes.ts';

const conformanceOptions = {
  write: {
    does: ['shows-secrets', 'sign-in', 'costs'],
    doc: 'Try operations that write, too, in an account below that is made for it and removed',
  },
  all: { doc: 'Show every operation, not those alone that differ' },
} as const;

export const conformanceCommands: readonly Command[] = [
  defineCommand({
    path: ['conformance'],
    summary: 'Ask a service which operations it offers, and in which shapes',
    description:
      'Sends one GET for each operation that reads, with ids that its lists show, and changes nothing. What is found is kept with the profile until the next sign-in, so that other commands do not ask for what is missing. --write asks first, then makes an account of its own below the one acted on, writes one sample of each record there, and removes the account, also at Ctrl-C. It accepts no charges, and resets nothing outside that account. A report ends with 0, whatever is in it.',
    arguments: {},
    options: conformanceOptions,
    effect: 'read',
    worst: 'destructive',
    neverPays: true,
    markdown: true,
    examples: {
      'telctl conformance': 'What differs from the documentation',
      'telctl conformance --all': 'Every operation',
      'telctl conformance --write': 'Writes, too: in a new account, which is removed',
      'telctl conformance -o json': 'For programs; docs/conformance.md has the fields',
    },
    operations: ['accounts.get', 'accounts.create', 'accounts.delete'],
    load: async () => conformance,
  }),
];

type Input = InputOf<typeof conformanceOptions>;

/** Asks a service which operations it offers; operations are named by the commands that stand for them. */
async function conformance(input: Input, context: Context): Promise<Result> {
  const { host, notices, options } = context;
  const session = await context.session();
  const api = await context.api();
  if (input.write) {
    if (options.dryRun) return plannedWrites(context);
    await agreeToWrites(context);
  }
  const own = await ownAccount(api);
  const watch = watchRate();
  const ask: Ask = async (operation, path, query) => {
    const incoming = await api.answer({ operation, path, query });
    watch.saw(incoming);
    return incoming;
  };
  const reader = {
    ask,
    unknownPaths: await refusalsOfUnknownPaths(ask, `telctl-${hexId(host.random)}`),
    token: await session.token(),
    progress: (done: number, total: number) => notices.progress(done, total, 'reads'),
  };
  const read = await readAll(reader);
  const { found, habits, changes } = input.write
    ? await tryWrites(context, { reader, read, watch })
    : { found: read, habits: {}, changes: undefined };
  const findings = operations.map((operation) => ({
    operation,
    ...(found.get(operation.id) ?? notTried(reasonAgainst(operation) ?? 'it writes; --write tries it')),
  }));
  const checkedAt = new Date(host.clock.now()).toISOString();
  const checkedBy = context.sessionParts().userAgent;
  await keepFindings(session, { findings, habits, changes, at: checkedAt, by: checkedBy });
  const { username, baseUrl } = session.profile;
  const { limiters } = context.sessionParts();
  const limiter = limiters.of(new URL(baseUrl).origin, await session.token());
  const account = own === undefined ? await accountName(context) : quoted(own);
  return conformanceReport(
    {
      service: baseUrl,
      speaker: username === undefined ? account : `${username} of ${account}`,
      accountId: await context.accountId(),
      checkedAt,
      checkedBy,
      wrote: input.write === true,
      findings,
      habits,
      changes,
      rateLimit: watch.found(limiter.met()),
      commands: await commandNames(),
    },
    { all: input.all === true || options.verbosity === 'verbose' },
  );
}

/**
 * The name of the account, as the service says it. Renews a token that has ended, so that a refused one is no finding;
 * throws `Failure` where nobody can sign in, or no reply comes.
 */
async function ownAccount(api: Api): Promise<string | undefined> {
  const operation = operationById('accounts.get');
  const incoming = await api.answer({ operation });
  const data = incoming.status === 401 ? (await api.call({ operation })).data : dataOf(incoming);
  const name = isObject(data) ? data.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Asks for consent to writing. Throws `Failure`: `refused` under a read-only profile, `interrupted` if the
 * answer is no.
 */
async function agreeToWrites(context: Context): Promise<void> {
  await refuseReadOnly(
    context,
    'telctl conformance --write',
    'Without --write, telctl conformance only reads.',
  );
  const { profile } = await context.session();
  const question = [
    `Make an account below ${await accountName(context)} at ${profile.baseUrl}, write a sample of each record in it, and remove it again?`,
    'It accepts no charges, and submits no port request. Whoever is notified of new accounts there is notified of this one, too.',
  ];
  await confirmed(context, question, 'Nothing was written.');
}

/** The requests that open and close the account; what is written between them is inside. */
function plannedWrites(context: Context): Promise<Result> {
  const data = subAccountData(subAccountName(context.host.random));
  return wouldSend(context, [
    {
      call: { operation: operationById('accounts.create'), data },
      notes: ['then one sample of each record inside it, and at the end its removal'],
    },
  ]);
}

/** The findings of a run, with its time and the telctl that ran. */
interface Findings {
  readonly findings: readonly Finding[];
  readonly habits: Behaviours;
  readonly changes: ChangeBehaviours | undefined;
  /** In ISO form. */
  readonly at: string;
  readonly by: string;
}

/**
 * Keeps what was found with the profile. What was not tried this time stays as an earlier run found it; nothing is kept
 * of what is no service of this interface.
 */
async function keepFindings(
  session: Session,
  { findings, habits, changes, at, by }: Findings,
): Promise<void> {
  if (isForeign(findings)) return;
  const before = session.learned().conformance;
  const tried = new Set(findings.filter(isTried).map(({ operation }) => operation.id));
  const ids = (wanted: Finding['result'], known: readonly string[] = []): readonly string[] => [
    ...known.filter((id) => !tried.has(id)),
    ...findings.filter(({ result }) => result === wanted).map(({ operation }) => operation.id),
  ];
  const { takes_own_ids: takes, refuses_taken_ids: refuses } = habits;
  await session.learn({
    // One that takes an id twice would write over the first record.
    ...(takes === undefined ? {} : { takesOwnIds: takes && refuses === true }),
    conformance: {
      at,
      by,
      notOffered: ids('not-offered', before?.notOffered),
      otherShape: ids('other-shape', before?.otherShape),
      habits: { ...before?.habits, ...habits },
      ...(changes ?? { refusesTags: before?.refusesTags, mergesOneLevel: before?.mergesOneLevel }),
    },
  });
}

const isTried = ({ result }: Finding): boolean => result !== 'not-tried' && result !== 'failed';
