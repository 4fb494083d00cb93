import { dirname, join, resolve } from 'node:path';
import { createPause } from '../../base/concurrency.ts';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { isObject, type JsonObject, parseJson } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { InputOf } from '../../cli/command/command.ts';
import type { Context } from '../../cli/command/context.ts';
import { readManifestInput } from '../../cli/commands/manifest/manifest-input.ts';
import type { manifestOptions } from '../../cli/commands/manifest-options.ts';
import { operationFor } from '../../cli/commands/records/find-named.ts';
import { readAccountSections } from '../../cli/commands/records/read-account.ts';
import { accountEmergencyNumbers, serviceClasses } from '../../cli/commands/records/service-numbers.ts';
import { flowTargets } from '../../contract/record-references.ts';
import { rates } from '../../contract/resources/rates.ts';
import { assumedZone } from '../../contract/temporal-route.ts';
import type { ResourceName } from '../../contract/types.ts';
import { type Problem, problemsFailure } from '../../engine/input/document.ts';
import { readInput } from '../../engine/input/read-input.ts';
import type { Desired } from '../../engine/manifest/desired.ts';
import { type KindName, kindByName } from '../../engine/manifest/kinds.ts';
import { isCaseFile, manifestsBelow } from '../../engine/manifest/manifest-files.ts';
import { accountOfManifest, accountOfRecords } from './cases/accounts.ts';
import type { CallCase, Expectations } from './cases/case-file.ts';
import { type ReadCases, readCases } from './cases/read-cases.ts';
import { type MadeCase, type PivotReplies, ratedNumbers, runCase } from './cases/run-case.ts';
import type { CallAccount } from './engine/types.ts';

type CasesInput = InputOf<typeof manifestOptions> & {
  readonly cases: readonly string[];
  readonly only: readonly string[];
};

/** Simulates the calls of case files. Throws `Failure` (`invalid`) for an invalid case or manifest. */
export async function makeCalls(
  input: CasesInput,
  context: Context,
): Promise<{ readonly account: CallAccount; readonly made: readonly MadeCase[] }> {
  const { cases, problems } = await readCaseFiles(context, input.cases);
  if (problems.length > 0) throw problemsFailure(problems);
  const chosen = chooseCases(cases, input.only);
  const account = await readCallAccount(context, input);
  if (account.assumesCarrier)
    context.notices.say('No carrier is configured; assuming one that accepts every call.');
  const replies = await readPivotReplies(context, chosen);
  const unrated = await runCases(chosen, account, replies, context);
  const rates = input.file.length === 0 ? await ratesFor(context, unrated) : [];
  const made = rates.length === 0 ? unrated : await runCases(chosen, account, replies, context, rates);
  return { account, made };
}

/** Reports that calls are tested in UTC if the account has temporal rules and no known time zone. */
function reportAssumedZone({ notices }: Context, account: CallAccount): CallAccount {
  const assumed = assumedZone(account.record.timezone, account.of('temporal_rules'));
  if (assumed !== undefined) notices.say(assumed);
  return account;
}

/** Reads the rates of calls whose case expects a cost. */
async function ratesFor(
  context: Context,
  made: readonly (MadeCase & { readonly asked: CallCase })[],
): Promise<readonly JsonObject[]> {
  const asked = made.filter(({ asked: { expect } }) => asksForCost(expect));
  return asked.length === 0 ? [] : readRates(context, ratedNumbers(asked));
}

const asksForCost = ({ cost, cdrs, not }: Expectations): boolean =>
  cost !== undefined ||
  (Array.isArray(cdrs) && cdrs.some((fields) => fields.has('cost'))) ||
  (not !== undefined && !('length' in not) && asksForCost(not));

/** Number of cases before the event loop can handle signals and other work. */
const casesAtOnce = 100;

/** Simulates the calls of all cases. Throws `Failure` (`invalid`) if a case names an unknown record. */
async function runCases(
  cases: readonly CallCase[],
  account: CallAccount,
  replies: PivotReplies,
  { host }: Pick<Context, 'host'>,
  rates: readonly JsonObject[] = [],
): Promise<readonly (MadeCase & { readonly asked: CallCase })[]> {
  const pause = createPause(host);
  const made: (MadeCase & { readonly asked: CallCase })[] = [];
  const problems: Problem[] = [];
  for (const [index, one] of cases.entries()) {
    if (index % casesAtOnce === casesAtOnce - 1) await pause();
    const ran = runCase(one, account, replies, rates);
    if ('problems' in ran) problems.push(...ran.problems);
    else made.push({ ...ran, asked: one });
  }
  const places = new Set<string>();
  const once = problems.filter(({ place }) => !places.has(place) && places.add(place));
  if (once.length > 0) throw problemsFailure(once);
  return made;
}

function chooseCases(cases: readonly CallCase[], only: readonly string[]): readonly CallCase[] {
  if (only.length === 0) return cases;
  const names = cases.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      'usage',
      `--only: case ${JSON.stringify(unknown)} not found.${didYouMean(findNearest(unknown, names))}`,
    );
  return cases.filter(({ name }) => only.includes(name));
}

const usualFolder = 'calls';

function caseFiles({ host }: Context, operands: readonly string[]): readonly string[] {
  const named = operands.length > 0 ? operands : [usualFolder];
  return named.flatMap((operand) => {
    const kind = host.files.kindOf(resolve(host.cwd, operand));
    if (operands.length === 0 && kind !== 'folder')
      throw new Failure('usage', 'No case file given, and the folder calls does not exist.', {
        hint: createHint`Create cases: ${nextStep`test init -f office.yaml --out calls/office.yaml`}`,
      });
    if (kind !== 'folder') return [operand];
    const found = manifestsBelow(host, operand).filter((file) => isCaseFile(host, file));
    if (found.length === 0) throw new Failure('usage', `The folder ${operand} contains no case files.`);
    return found;
  });
}

export async function readCaseFiles(context: Context, operands: readonly string[]): Promise<ReadCases> {
  const inputs = [];
  for (const file of caseFiles(context, operands)) inputs.push(await readInput(context.host, file));
  return readCases(inputs);
}

/** Kinds of records that calls use: callflows, targets of their steps, phones and settings. */
const kindsOfCalls: readonly KindName[] = [
  ...new Set<KindName>([...flowTargets, 'callflows', 'devices', 'carriers', 'limits', 'account_settings']),
];

/** Returns the account for calls: from the manifests, or else from the service. */
export async function readCallAccount(
  context: Context,
  input: InputOf<typeof manifestOptions>,
): Promise<CallAccount> {
  if (input.file.length > 0) {
    const { desired } = await readManifestInput(context, input, {
      allowUnset: true,
      runsPrograms: false,
    });
    return reportAssumedZone(context, selectAccount(context, desired));
  }
  return reportAssumedZone(context, await readAccount(context, await context.accountId()));
}

export const readKinds: readonly ResourceName[] = kindsOfCalls.map((name) => kindByName(name).resource.name);

/** Reads an account of the service. Without an id, returns an empty account. */
export async function readAccount(context: Context, id: string | undefined): Promise<CallAccount> {
  if (id === undefined) return accountOfRecords('account', []);
  const api = await context.api();
  const [{ sections }, classes, emergency, country] = await Promise.all([
    readAccountSections(context, { whole: kindsOfCalls }, { accountId: id }),
    serviceClasses(api, id),
    accountEmergencyNumbers(api, id),
    api.country(id),
  ]);
  return accountOfRecords(id, sections, { classes, emergency, country });
}

/** Returns the account of `--account`, or else the first account of the manifest with callflows. */
function selectAccount({ settings }: Context, { accounts }: Desired): CallAccount {
  const named = accounts.find(({ account }) => account !== undefined && account === settings.account.value);
  const first = accounts.find(({ objects }) => objects.some(({ kind }) => kind === 'callflows'));
  const chosen = named ?? first ?? accounts[0];
  return accountOfManifest(chosen ?? { account: undefined, objects: [] });
}

/** Reads the rates of numbers. Returns an empty list if the service does not support rates. */
async function readRates(context: Context, numbers: readonly string[]): Promise<readonly JsonObject[]> {
  const api = await context.api();
  const found = numbers.map(async (number): Promise<readonly JsonObject[]> => {
    const call = { operation: operationFor(rates, 'of-number'), path: { phone_number: number } };
    const { data } = await api.call(call).catch((error: unknown) => {
      // Services respond with 500 for a number without a rate (Conventions, Carriers).
      if (error instanceof Failure && (error.status === 404 || error.status === 500))
        return { data: undefined };
      throw error;
    });
    if (!isObject(data)) return [];
    return [
      {
        prefix: number,
        rate_name: data['Rate-Name'] ?? '',
        rate_cost: data.Rate ?? 0,
        rate_surcharge: data.Surcharge ?? 0,
        rate_increment: data['Rate-Increment'] ?? 60,
        rate_minimum: data['Rate-Minimum'] ?? 60,
      },
    ];
  });
  return (await Promise.all(found)).flat();
}

export async function readPivotReplies({ host }: Context, cases: readonly CallCase[]): Promise<PivotReplies> {
  const replies = new Map<string, JsonObject>();
  const problems: Problem[] = [];
  for (const one of cases)
    for (const file of one.pivots.values()) {
      if (replies.has(file)) continue;
      const { text } = await readInput(host, join(dirname(one.file), file));
      const value = parseJson(text);
      const what = value === undefined ? 'is no JSON' : 'does not contain a callflow in JSON';
      if (isObject(value)) replies.set(file, value);
      else problems.push(one.problem('pivot', `${file} ${what}`));
    }
  if (problems.length > 0) throw problemsFailure(problems);
  return replies;
}
