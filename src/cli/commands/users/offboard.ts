import { createHint, Failure, nextStep, withFacts } from '../../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined, textsIn } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { ApiRequest } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { users } from '../../../contract/resources/users.ts';
import { type LeavingRecord, removeReferences } from '../../../engine/callflows/leaving.ts';
import { cacheReads } from '../../../engine/manifest/account-reader.ts';
import { type Edit, type Ending, fieldsThatDiffer, planEdits } from '../../../engine/manifest/edit-plan.ts';
import { searchUses, type Use } from '../../../engine/manifest/find-references.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import {
  type ApplyReport,
  doneResults,
  type EndingRequest,
  type Step,
} from '../../../engine/manifest/plan.ts';
import { createService, isNotOffered } from '../../../engine/manifest/service.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ReportRow, Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import { warnUnlistedKinds } from '../generic/use-report.ts';
import { labelOf, nameOf } from '../labels.ts';
import { applyJob, planObjects, requireUnfinishedRun } from '../manifest/apply/apply-job.ts';
import { stepsToSend } from '../manifest/apply/apply-plans.ts';
import { applyResult } from '../manifest/apply/apply-report.ts';
import { noPlanningOptions } from '../manifest/plan/planning.ts';
import { actionSigns, endingSign } from '../manifest/plan/step-lines.ts';
import { findNamed, pathTo } from '../records/find-named.ts';
import { readRecord } from '../records/listed-records.ts';
import { readOptions } from '../records/read-account.ts';
import type { offboardOptions, userArguments } from './commands.ts';

type OffboardInput = InputOf<typeof offboardOptions, typeof userArguments>;

interface Person {
  readonly id: string;
  readonly record: JsonObject;
  readonly name: string;
}

/**
 * Deletes a user who leaves. Shows every reference to the user and its replacement, asks once, and deletes the user
 * last. If a step is refused, the error lists the completed steps and the command that reverses them.
 */
export async function offboardUser(input: OffboardInput, context: Context): Promise<Result> {
  await requireUnfinishedRun(context, { resume: input.resume, set: 'users offboard' });
  const leaver = await findPerson(context, input.id);
  const heir = input.to === undefined ? undefined : await findPerson(context, input.to);
  if (heir?.id === leaver.id) throw new Failure('usage', `${leaver.name} cannot take over from themselves.`);
  const { profile } = await context.session();
  if (profile.ownerId === leaver.id)
    throw new Failure('refused', `You are signed in as ${leaver.name}. Nothing was deleted.`, {
      hint: 'Sign in as another user first.',
    });
  // The user confirms all deletes and changes at once.
  const most = Number.MAX_SAFE_INTEGER;
  const planInput = { ...noPlanningOptions, maxDeletes: most, maxDeletesTotal: most, maxChangePercent: 100 };
  return applyJob(context, {
    planInput,
    onError: 'stop',
    plan: (opening) =>
      planObjects(context, { objects: [], command: 'users offboard' }, planInput, {
        ...opening,
        async planRecords(account) {
          const parts = await findOffboardingRecords(context, leaver, heir, input.keepMessages === true);
          return planEdits(
            account,
            'users offboard',
            ...(await planOffboarding(context, leaver, heir, parts)),
          );
        },
      }),
    async confirm({ accounts }) {
      const steps = stepsToSend(accounts);
      await context.notices.report(steps.map(stepRow));
      await confirmChange(context, `Make these ${steps.length} changes?`);
    },
    onResult: (_result, over, total) => context.notices.progress(over, total, 'make changes'),
    end: (reports) => offboardingResult(reports, leaver, heir),
  });
}

const stepRow = ({ by, label, notes }: Step): ReportRow => ({
  sign: by === 'call' ? endingSign : actionSigns[by === 'delete' ? 'delete' : 'update'],
  text: label,
  ...(notes.length === 0 ? {} : { right: notes.join(', ') }),
});

function offboardingResult(
  reports: readonly ApplyReport[],
  leaver: Person,
  heir: Person | undefined,
): Result {
  const undo = nextStep`undo`;
  const done = reports.flatMap(doneResults).map(({ step }) => step);
  const again = createHint`Repeat the command to continue, or reverse it: ${undo}.`;
  const { failure } = applyResult(reports, again);
  const stopped = reports.flatMap(({ results }) => results).find((result) => result.failure);
  const failed = stopped?.failure;
  if (failed) {
    const doubt =
      stopped.outcome === 'unknown' ? [`The change of ${stopped.step.label} may have been made.`] : [];
    const before =
      done.length > 0 ? [`Completed before it: ${done.map(({ label }) => label).join(', ')}.`] : [];
    const lines = [...doubt, ...before];
    throw lines.length === 0
      ? failed
      : withFacts(failed, { lines: [...failed.lines, ...lines], hint: again });
  }
  if (failure) throw failure;
  const ids = (isWanted: (step: Step) => boolean) =>
    done
      .filter(isWanted)
      .map(({ kind, id, name }) => ({ resource: kindByName(kind).resource.name, id: id ?? name }));
  const taken = heir === undefined ? '' : ` ${heir.name} took over.`;
  return {
    kind: 'done',
    message: [
      `Made ${formatCount(done.length, 'change')}. Deleted ${labelOf(users, leaver.record)}.${taken}`,
      `To reverse it, except for messages, sessions and calls: ${undo}`,
    ],
    value: {
      changed: ids(({ by }) => by === 'patch' || by === 'replace'),
      deleted: ids(({ by }) => by === 'delete'),
      ended: ids(({ by }) => by === 'call'),
    },
  };
}

/** The service ends computed memberships with the user, without a request. */
const isComputed = ({ places }: Use): boolean => places.every(({ workedOut }) => workedOut === true);

async function findPerson(context: Context, word: string): Promise<Person> {
  const { id } = await findNamed(context, users, word);
  const record = await readRecord(await context.api(), users, id);
  return { id, record, name: nameOf(users, record) ?? id };
}

async function planOffboarding(
  context: Context,
  leaver: Person,
  heir: Person | undefined,
  { leaving, uses }: Parts,
): Promise<readonly [edits: readonly Edit[], endings: readonly Ending[]]> {
  const kind = kindByName('users');
  const goes = heir === undefined ? `without ${leaver.name}` : `${leaver.name} → ${heir.name}`;
  const referenceEdits = (use: Use): readonly Edit[] => {
    const after = removeReferences(use.record, leaving);
    const { calls } = use.kind;
    if (leaving.has(use.id) || after === undefined || !(calls.patch ?? calls.replace) || isComputed(use))
      return [];
    return [{ ...use, fields: fieldsThatDiffer(use.record, after), note: goes }];
  };
  const mailbox = heir ? `with its messages; --keep-messages gives it to ${heir.name}` : 'with its messages';
  const deletionEdits = (use: Use): readonly Edit[] => {
    if (!leaving.has(use.id)) return [];
    const numbers = textsIn(use.record.numbers).join(', ');
    const note = numbers !== '' ? `for ${numbers}` : use.kind.name === 'vmboxes' ? mailbox : undefined;
    return [{ kind: use.kind, id: use.id, record: use.record, ...omitUndefined({ note }) }];
  };
  const outOf = countsOf(
    Object.keys(isObject(leaver.record.directories) ? leaver.record.directories : {}),
    textsIn(leaver.record.queues),
  );
  const joined = heir && inheritedPlaces(leaver, heir, leaving);
  const others = [...uses.values()].flatMap((use) =>
    use.id === heir?.id && joined ? [] : referenceEdits(use),
  );
  const { calls, registered } = await findLiveObjects(context, leaver, leaving);
  const end = (name: string, label: string, call: EndingRequest): Ending => ({
    of: { kind, id: leaver.id },
    name,
    label,
    call,
  });
  return [
    [
      ...others,
      ...(joined ? [joined] : []),
      ...[...uses.values()].flatMap(deletionEdits),
      { kind, id: leaver.id, record: leaver.record, ...(outOf === '' ? {} : { note: `leaves ${outOf}` }) },
    ],
    [
      end(leaver.id, `sessions of ${leaver.name}`, {
        operation: 'tokens.reset-user-secret',
        path: pathTo(users, leaver.id),
      }),
      ...calls.map((id) =>
        end(id, `live call ${id}`, {
          operation: 'channels.act',
          path: { channel_id: id },
          data: { action: 'hangup' },
        }),
      ),
      ...registered.map((username) =>
        end(username, `registrations of ${username}`, { operation: 'registrations.end', path: { username } }),
      ),
    ],
  ];
}

interface Parts {
  readonly leaving: ReadonlyMap<string, LeavingRecord>;
  readonly uses: ReadonlyMap<string, Use>;
}

async function findOffboardingRecords(
  context: Context,
  leaver: Person,
  heir: Person | undefined,
  keepsMessages: boolean,
): Promise<Parts> {
  const reader = cacheReads(createService(await context.api(), await context.accountId()));
  const successor = heir && ({ resource: 'users', id: heir.id } as const);
  const boxes = heir && !keepsMessages ? await reader.list(kindByName('vmboxes')) : undefined;
  const box = boxes?.items.find((item) => item.owner_id === heir?.id);
  const heirsBox = box && ({ resource: 'vmboxes', id: String(box.id) } as const);
  const leaving = new Map<string, LeavingRecord>([[leaver.id, { resource: 'users', successor }]]);
  const uses = new Map<string, Use>();
  for (let open = [leaver.id]; open.length > 0; ) {
    const targets = open.map((id) => ({ id, resource: leaving.get(id)?.resource ?? 'users' }));
    const found = await searchUses(reader, targets, readOptions(context));
    warnUnlistedKinds(context, found);
    for (const use of found.uses) uses.set(use.id, use);
    open = [];
    for (const { id, kind, record } of uses.values()) {
      const { name } = kind.resource;
      const isOwn =
        record.owner_id === leaver.id && (name === 'devices' || (name === 'vmboxes' && !keepsMessages));
      const isLeft = name === 'callflows' && removeReferences(record, leaving) === undefined;
      if (leaving.has(id) || !(isOwn || isLeft)) continue;
      const next = name === 'vmboxes' ? heirsBox : name === 'devices' ? successor : undefined;
      leaving.set(id, { resource: name, successor: next });
      open.push(id);
    }
  }
  uses.delete(leaver.id);
  return { leaving, uses };
}

/** Directories and queues of the leaving user that do not list the heir yet. User records store them. */
function inheritedPlaces(leaver: Person, heir: Person, leaving: Parts['leaving']): Edit | undefined {
  const own = isObject(heir.record.directories) ? heir.record.directories : {};
  const directories = Object.fromEntries(
    Object.entries(isObject(leaver.record.directories) ? leaver.record.directories : {}).filter(
      ([id, callflow]) => !Object.hasOwn(own, id) && !leaving.has(String(callflow)),
    ),
  );
  const taken = textsIn(heir.record.queues);
  const queues = textsIn(leaver.record.queues).filter((id) => !taken.includes(id));
  const said = countsOf(Object.keys(directories), queues);
  if (said === '') return undefined;
  const after = removeReferences(heir.record, leaving) ?? heir.record;
  const fields = {
    ...fieldsThatDiffer(heir.record, after),
    ...(Object.keys(directories).length === 0 ? {} : { directories: { ...own, ...directories } }),
    ...(queues.length === 0 ? {} : { queues: [...taken, ...queues] }),
  };
  return { kind: kindByName('users'), id: heir.id, record: heir.record, fields, note: `joins ${said}` };
}

const countsOf = (directories: readonly string[], queues: readonly string[]): string =>
  [
    ...(directories.length === 0 ? [] : [formatCount(directories.length, 'directory', 'directories')]),
    ...(queues.length === 0 ? [] : [formatCount(queues.length, 'queue')]),
  ].join(' and ');

async function findLiveObjects(
  context: Context,
  leaver: Person,
  leaving: Parts['leaving'],
): Promise<{ readonly calls: readonly string[]; readonly registered: readonly string[] }> {
  const calls = await listLive(context, {
    operation: operationById('channels.of-user'),
    path: pathTo(users, leaver.id),
  });
  const phones = await listLive(context, { operation: operationById('registrations.list') });
  const own = phones.filter(
    ({ owner_id: owner, authorizing_id: device }) => owner === leaver.id || leaving.has(String(device)),
  );
  return {
    calls: calls.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : [])),
    registered: [...new Set(own.flatMap(({ username }) => (typeof username === 'string' ? [username] : [])))],
  };
}

/** If a list cannot be read, its live objects end with the user or by timeout. */
async function listLive(context: Context, call: ApiRequest): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  try {
    for await (const page of (await context.api()).pages(call)) items.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || ['interrupted', 'auth'].includes(error.kind)) throw error;
    if (!isNotOffered(error, call.operation))
      context.notices.warn(
        `"${call.operation.summary}" failed, so its live objects are unknown. ${error.message}`,
      );
  }
  return items;
}
