import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject, objectsIn, textOrEmpty, textsIn } from '../../../base/json.ts';
import { parseCallTime } from '../../../base/zoned-time.ts';
import type { Context } from '../../../cli/command/context.ts';
import { changedText, combineRollouts, loggedNames, runAuthor } from '../../../cli/commands/log/run-text.ts';
import { openRuns } from '../../../cli/commands/state/open-state.ts';
import { assumedZone, zoneOfStep } from '../../../contract/temporal-route.ts';
import { readSavedPlan } from '../../../engine/manifest/saved-plan.ts';
import { describeCommand } from '../../../engine/state/log.ts';
import { newestRuns } from '../../../engine/state/runs.ts';
import { dateAndTime, tryCall } from '../../calls/cases/write-cases.ts';
import { describeOutcome } from '../../calls/engine/describe-call.ts';
import { filledTexts } from '../../calls/engine/records.ts';
import { readAccount } from '../../calls/make-calls.ts';
import type { AccountOnPage, PlannedChange, PlannedStep, PlanOnPage, Reader, ReadRun } from '../reader.ts';
import { cacheResults } from './api-reader.ts';

/** How long an audit is reused, in milliseconds. An audit reads every record of an account. */
const auditFreshMs = 60_000;

/** Audits accounts for the pages. `own` is the account of the profile. */
export function auditReader(context: Context, own: string): NonNullable<Reader['audit']> {
  const cached = cacheResults(context.host.clock, auditFreshMs);
  return (account) =>
    cached(account.id, async () => {
      const { auditAccount } = await import('../../../cli/commands/audit/audit.ts');
      return auditAccount(context, await context.api(), account, own);
    });
}

/** How long an account is reused, in milliseconds. Users try several times of day in a row. */
const freshMs = 15_000;

/** Simulates calls to callflows as `telctl test` does. Every person answers. The service only receives reads. */
export function callSimulator(context: Context): NonNullable<Reader['follow']> {
  const { clock } = context.host;
  const cached = cacheResults(clock, freshMs);
  return async (accountId, callflowId, { at, presses = '' }) => {
    const account = await cached(accountId, () => readAccount(context, accountId));
    const zone = zoneOfStep({}, account.record.timezone);
    const localTime = (ms: number): string => dateAndTime(zone, ms).replace(' ', 'T');
    const none = { at: localTime(clock.now()), reached: new Set<string>() };
    if (at === undefined) return none;
    const [to] = filledTexts(account.get('callflows', callflowId)?.numbers);
    if (to === undefined) return { ...none, sentence: 'This callflow has no number.' };
    const time = parseTime(at, zone, clock.now());
    if (typeof time === 'string') return { ...none, sentence: time };
    const call = tryCall(account, {
      to,
      at: time,
      presses: presses === '' ? [] : presses.split(',').map((each) => each.trim()),
      people: new Map(),
      others: { does: 'answers', after: 6 },
    });
    const reached = call.events.flatMap((event) =>
      event.kind === 'step' && event.step.callflow === callflowId ? [event.step.place.join('.')] : [],
    );
    const { words } = describeOutcome({ call, account, to }, 'a1');
    const assumed = assumedZone(account.record.timezone, account.of('temporal_rules'));
    return {
      at: localTime(time),
      sentence: [`A call to ${to} at that time, if everybody answers: ${words}.`, assumed ?? '']
        .join(' ')
        .trim(),
      reached: new Set(reached),
    };
  };
}

/** Returns the time in Unix milliseconds, or an error message. */
function parseTime(at: string, zone: string, nowMs: number): number | string {
  try {
    return parseCallTime(at, zone, nowMs) * 1000;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

const runsAtMost = 100;

/** Reads the latest runs against the service, for the page of changes. */
export async function readRuns(context: Context, origin: string): Promise<readonly ReadRun[]> {
  const found: ReadRun[] = [];
  const runs = await openRuns(context);
  const named = loggedNames(runs);
  for await (const run of combineRollouts(newestRuns(runs, {}))) {
    if (run.parts.every(({ start }) => start.account.origin !== origin)) continue;
    found.push({
      id: run.run,
      at: new Date(run.atMs).toISOString(),
      who: runAuthor(run),
      account: [...new Set(run.parts.map(({ start }) => start.account.name))].join(', '),
      line: describeCommand(run),
      changed: await named(changedText(run)),
      ...(run.note === undefined ? {} : { note: run.note }),
      ...(run.state === 'finished' ? {} : { trouble: run.state }),
    });
    if (found.length === runsAtMost) break;
  }
  return found;
}

/** Reads a saved plan for the page. Throws `Failure`: `usage` if it is missing, `invalid` if it is not a plan. */
export async function readPlan(context: Context, name: string, origin: string): Promise<PlanOnPage> {
  const text = await (await context.state()).plans.read(name);
  if (text === undefined)
    throw new Failure('usage', `Plan ${name} not found.`, {
      hint: createHint`Create one with: ${nextStep`plan -f FILE --out PLAN`}`,
    });
  const saved = await readSavedPlan(name, text);
  return {
    name,
    accounts: saved.accounts.map((account): AccountOnPage => {
      const { steps, refused } = account.plan;
      const isHere =
        URL.canParse(account.origin) && new URL(account.origin).origin === new URL(origin).origin;
      return {
        ...(account.id === null ? {} : { id: account.id }),
        name: account.name,
        origin: account.origin,
        isHere,
        steps: objectsIn(steps).map(toPlannedStep),
        ...(isObject(refused) ? { refused: textOrEmpty(refused.message) } : {}),
      };
    }),
  };
}

/** Converts a step of a plan file. The file matches its digest, so the types are known. */
const toPlannedStep = ({ key, kind, label, action, id, changes, notes }: JsonObject): PlannedStep => ({
  key: textOrEmpty(key),
  kind: textOrEmpty(kind),
  label: textOrEmpty(label),
  action: textOrEmpty(action),
  ...(typeof id === 'string' ? { id } : {}),
  changes: objectsIn(changes).map(changeOf),
  notes: textsIn(notes),
});

const changeOf = ({ path, how, before, after, secret, sources, drift, from }: JsonObject): PlannedChange => ({
  path: textOrEmpty(path),
  how: textOrEmpty(how),
  before,
  after,
  ...(secret === true ? { secret } : {}),
  ...(drift === true ? { drift } : {}),
  ...(Array.isArray(sources) ? { sources: textsIn(sources) } : {}),
  ...(typeof from === 'string' ? { from } : {}),
});
