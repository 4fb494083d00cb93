import { Failure } from '../../base/failure.ts';
import type { Random } from '../../base/host/host.ts';
import { isObject } from '../../base/json.ts';
import { quoteName } from '../../base/wording.ts';
import { type Command, defineCommand, type InputOf } from '../../cli/command/command.ts';
import type { Context } from '../../cli/command/context.ts';
import type { Result } from '../../cli/command/result.ts';
import { otherRotation, rotation } from '../../cli/commands/accounts/api-key.ts';
import { confirmChange, dryRunResult } from '../../cli/commands/change.ts';
import { refuseReadOnly } from '../../cli/commands/guards/protection.ts';
import { quotedAccount } from '../../cli/commands/labels.ts';
import { commandNames } from '../../cli/commands/nouns.ts';
import { randomPassword } from '../../cli/commands/passwords/secrets.ts';
import type { Api } from '../../client/api/api.ts';
import type { Session } from '../../client/session/session.ts';
import { operationById, operations } from '../../contract/catalogue.ts';
import {
  type Behaviours,
  type ChangeBehaviours,
  learnBehaviours,
  learnChangeBehaviours,
} from './behaviours.ts';
import {
  isOfferedIn,
  isOtherService,
  judge,
  notTried,
  type OperationFinding,
  type Verdict,
  type Verdicts,
  wasTried,
} from './judge.ts';
import { type Ask, type ProbeReader, readAll, refusalsOfUnknownPaths } from './reads.ts';
import { repliedData, watchRate } from './replies.ts';
import { type ConformanceReport, conformanceReport } from './report.ts';
import {
  changeSamples,
  createSamples,
  inSubAccount,
  reasonAgainst,
  type Send,
  subAccountData,
} from './writes.ts';

const conformanceOptions = {
  write: {
    does: ['shows-secrets', 'sign-in', 'costs'],
    doc: 'Also try writing operations, in a temporary sub-account',
  },
  all: { doc: 'Show every operation, not only differences' },
} as const;

export const conformanceCommands: readonly Command[] = [
  defineCommand({
    path: ['conformance'],
    summary: 'Detect which operations a service supports, and their formats',
    description:
      'Sends one GET request for each reading operation, with ids from lists. Nothing is changed. The result is kept with the profile until the next sign-in, so that other commands skip missing operations. --write asks first. Then it creates a sub-account, writes a sample of each record there, and removes the account, also after Ctrl-C. It accepts no charges. The exit code is 0 even if operations differ.',
    arguments: {},
    options: conformanceOptions,
    effect: 'read',
    worst: 'destructive',
    neverPays: true,
    markdown: true,
    examples: {
      'telctl conformance': 'Show differences from the documentation',
      'telctl conformance --all': 'Show every operation',
      'telctl conformance --write': 'Also try writes in a temporary account',
      'telctl conformance -o json': 'Print JSON (fields: docs/conformance.md)',
    },
    operations: ['accounts.get', 'accounts.create', 'accounts.delete'],
    load: async () => conformance,
  }),
];

type Input = InputOf<typeof conformanceOptions>;

/** Detects the operations of a service. The report names operations by their commands. */
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
    const incoming = await api.probe({ operation, path, query });
    watch.observe(incoming);
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
    ? await tryWrites(context, reader, read, watch)
    : { found: read, habits: {}, changes: undefined };
  const findings = operations.map((operation) => ({
    operation,
    ...(found.get(operation.id) ?? notTried(reasonAgainst(operation) ?? 'it writes; --write tries it')),
  }));
  const { username, baseUrl } = session.profile;
  const { limiters, userAgent: checkedBy } = context.sessionParts();
  const limiter = limiters.of(new URL(baseUrl).origin, await session.token());
  const account = own === undefined ? await quotedAccount(context) : quoteName(own);
  const report: ConformanceReport = {
    service: baseUrl,
    speaker: username === undefined ? account : `${username} of ${account}`,
    accountId: await context.accountId(),
    checkedAt: new Date(host.clock.now()).toISOString(),
    checkedBy,
    wrote: input.write === true,
    findings,
    habits,
    changes,
    rateLimit: watch.observedLimit(limiter.met()),
    commands: await commandNames(),
  };
  await keepFindings(session, report);
  return conformanceReport(report, { all: input.all === true || options.verbosity === 'verbose' });
}

/** Reads the account name. This also renews an expired token, which could otherwise look like a finding. */
async function ownAccount(api: Api): Promise<string | undefined> {
  const operation = operationById('accounts.get');
  const incoming = await api.probe({ operation });
  const data = incoming.status === 401 ? (await api.call({ operation })).data : repliedData(incoming);
  const name = isObject(data) ? data.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** Asks for consent to writes. Throws `refused` for a read-only profile, and `interrupted` if the user declines. */
async function agreeToWrites(context: Context): Promise<void> {
  await refuseReadOnly(
    context,
    'telctl conformance --write',
    'Without --write, telctl conformance only reads.',
  );
  const { profile } = await context.session();
  const question = [
    `Create an account below ${await quotedAccount(context)} at ${profile.baseUrl}, write a sample of each record, and delete the account?`,
    'It accepts no charges and submits no port requests. The service may send notifications about the new account.',
  ];
  await confirmChange(context, question, 'Nothing was written.');
}

function plannedWrites(context: Context): Promise<Result> {
  const data = subAccountData(subAccountName(context.host.random));
  return dryRunResult(context, [
    {
      call: { operation: operationById('accounts.create'), data },
      notes: ['then one sample of each record inside it, and at the end its removal'],
    },
  ]);
}

/**
 * Saves findings in the profile. Keeps earlier findings of untried operations. Ignores services with another
 * interface.
 */
async function keepFindings(session: Session, report: ConformanceReport): Promise<void> {
  const { findings, habits, changes } = report;
  if (isOtherService(findings)) return;
  const before = session.learned().conformance;
  const tried = new Set(findings.filter(isTried).map(({ operation }) => operation.id));
  const ids = (wanted: OperationFinding['result'], known: readonly string[] = []): readonly string[] => [
    ...known.filter((id) => !tried.has(id)),
    ...findings.filter(({ result }) => result === wanted).map(({ operation }) => operation.id),
  ];
  const { takes_own_ids: takes, refuses_taken_ids: refuses } = habits;
  await session.learn({
    // A service that accepts an id twice would overwrite the first record.
    ...(takes === undefined ? {} : { takesOwnIds: takes && refuses === true }),
    conformance: {
      at: report.checkedAt,
      by: report.checkedBy,
      notOffered: ids('not-offered', before?.notOffered),
      otherShape: ids('other-shape', before?.otherShape),
      habits: { ...before?.habits, ...habits },
      ...(changes ?? { refusesTags: before?.refusesTags, mergesOneLevel: before?.mergesOneLevel }),
    },
  });
}

const isTried = ({ result }: OperationFinding): boolean => result !== 'not-tried' && result !== 'failed';

const hexId = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

/** Name of the temporary account. It identifies the run if the account is left over. */
const subAccountName = (random: Random): string => `telctl-conformance-${hexId(random).slice(0, 12)}`;

/**
 * Tries writes, and reads that had no id, in a temporary account. Removes the account at the end, also after Ctrl-C.
 */
async function tryWrites(
  context: Context,
  reader: ProbeReader,
  read: Verdicts,
  watch: ReturnType<typeof watchRate>,
) {
  const { host, notices } = context;
  const api = await context.bulkApi();
  const name = subAccountName(host.random);
  const found = new Map<string, Verdict>(read);
  let habits: Behaviours = {};
  let changes: ChangeBehaviours | undefined;
  const recordVerdicts = (verdicts: Verdicts): void => {
    for (const [id, verdict] of verdicts) found.set(id, verdict);
  };
  const { id, made, removed } = await inSubAccount(context, { api, name }, async (accountId) => {
    let sent = 0;
    const send: Send = async (operation, path, data, headers) => {
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
      notices.progress(sent++, expected, 'writes');
      const call = { operation, path: { ...path, account_id: accountId } };
      const incoming = await api.probe(data === undefined ? call : { ...call, data }, headers);
      watch.observe(incoming);
      return incoming;
    };
    const writer = {
      send,
      unknownPaths: reader.unknownPaths,
      account: name,
      secret: randomPassword(host.random),
    };
    const created = await createSamples(writer);
    recordVerdicts(created.verdicts);
    const inside: ProbeReader = {
      ...reader,
      ask: (operation, path) => send(operation, path),
      made: created.ids,
    };
    const again = await readAll(
      inside,
      (operation) => isInAccount(operation) && !wasTried(found, operation.id),
    );
    recordVerdicts(new Map([...again].filter(([id]) => wasTried(again, id))));
    habits = await learnBehaviours(writer, created.ids, hexId(host.random));
    changes = await learnChangeBehaviours(writer, created.ids);
    recordVerdicts(await changeSamples(writer, created.ids));
    const isPut = await rotatesByPut(send, found);
    if (isPut)
      found.set(rotation.id, { result: 'other-shape', note: 'PUT in place of POST', taken: 'taken' });
    if (isOfferedIn(found, rotation.id)) await (await context.session()).learn({ rotatesKeysByPut: isPut });
  });
  if (made !== undefined) found.set('accounts.create', judge(operationById('accounts.create'), made, reader));
  if (removed !== undefined)
    found.set('accounts.delete', judge(operationById('accounts.delete'), removed, reader));
  const untried = id === undefined ? 'the temporary account could not be created' : 'no reply came';
  for (const operation of operations)
    if (!found.has(operation.id)) found.set(operation.id, notTried(reasonAgainst(operation) ?? untried));
  return { found, habits, changes };
}

/** Returns true if a service replaces API keys by PUT but not by POST. */
async function rotatesByPut(send: Send, found: Verdicts): Promise<boolean> {
  if (found.get(rotation.id)?.result !== 'not-offered') return false;
  return (await send(otherRotation, {})).status < 300;
}

/** Approximate number of writing requests, for the progress line. */
const expected = operations.filter((operation) => reasonAgainst(operation) === undefined).length;

const isInAccount = ({ path }: { readonly path: string }): boolean =>
  path.startsWith('/accounts/{account_id}/');
