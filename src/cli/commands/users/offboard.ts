import { Failure, leadsOn, nextStep, withFacts } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { Call } from '../../../client/api/api.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { type Leaving, withoutLeaving } from '../../../engine/callflows/leaving.ts';
import { readOnce } from '../../../engine/manifest/account-reader.ts';
import { mergePatch } from '../../../engine/manifest/canonical.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { isNotOffered, serviceOf } from '../../../engine/manifest/service.ts';
import { type Use, usesOf } from '../../../engine/manifest/used-by.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ReportRow, Result } from '../../command/result.ts';
import { type CallChange, confirmed, wouldSend } from '../change.ts';
import { removed } from '../generic/delete.ts';
import { useLabel, warnOfUnlisted } from '../generic/use-report.ts';
import { keptFailure, keptOf } from '../guards/lockout-guard.ts';
import { refuseProtectedRequest } from '../guards/protection.ts';
import { labelOf, nameOf } from '../labels.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { readRecord } from '../records/listed-records.ts';
import { readingIn } from '../records/read-account.ts';
import type { offboardOptions, userArguments } from './commands.ts';

type OffboardInput = InputOf<typeof offboardOptions, typeof userArguments>;

/** One thing that is done: a line for people, the request, and what kind of end it has. */
interface Deed extends CallChange {
  readonly resource: Resource;
  readonly id: string;
  readonly label: string;
  readonly action: 'change' | 'delete' | 'end';
  /** Said beside the label. */
  readonly word: string;
}

interface Person {
  readonly id: string;
  readonly record: JsonObject;
  readonly name: string;
}

/**
 * Lets somebody go: shows all that refers to the user and what becomes of it, asks once, and does it, the user last.
 * Where one thing is refused, the error says what was done, and how to take it back.
 */
export async function offboardUser(input: OffboardInput, context: Context): Promise<Result> {
  const leaver = await personOf(context, input.id);
  const heir = input.to === undefined ? undefined : await personOf(context, input.to);
  if (heir?.id === leaver.id) throw new Failure('usage', `${leaver.name} cannot take over from themselves.`);
  const { profile } = await context.session();
  if (profile.ownerId === leaver.id)
    throw new Failure('refused', `You are signed in as ${leaver.name}. Nothing was deleted.`, {
      hint: 'Sign in as somebody else first.',
    });
  const accountId = await context.accountId();
  const place = { api: await context.api(), accountId, ownId: profile.ownerId };
  const locksOut = keptFailure(await keptOf(place, [{ ...leaver, loss: 'deleted' }]));
  if (locksOut) throw locksOut;
  const parts = await partsOf(context, leaver, heir, input.keepMessages === true);
  const deeds = await deedsFor(context, leaver, heir, parts);
  for (const { action, call, label } of deeds)
    if (action === 'delete')
      await refuseProtectedRequest(context, {
        operation: call.operation,
        data: undefined,
        label,
        path: { account_id: accountId, ...call.path },
      });
  if (context.options.dryRun) return wouldSend(context, deeds);
  await context.notices.report(deeds.map(deedRow));
  await confirmed(context, `Do these ${deeds.length}?`);
  await doAll(context, deeds);
  const ids = (wanted: Deed['action']): Json =>
    deeds
      .filter(({ action }) => action === wanted)
      .map(({ resource, id }) => ({ resource: resource.name, id }));
  const taken = heir === undefined ? '' : ` ${heir.name} took over.`;
  return {
    kind: 'done',
    message: [
      `Did ${deeds.length}. Deleted ${labelOf(users, leaver.record)}.${taken}`,
      `To take it back, except for messages and what was live: ${nextStep`undo`}`,
    ],
    value: { changed: ids('change'), deleted: ids('delete'), ended: ids('end') },
  };
}

const signs = {
  change: { text: '~', mark: 'careful' },
  delete: { text: '-', mark: 'bad' },
  end: { text: '!', mark: 'bad' },
} as const;

const deedRow = ({ action, label, word }: Deed): ReportRow => ({
  sign: signs[action],
  text: label,
  ...(word === '' ? {} : { right: word }),
});

/** The service works out where the user stands in it, so that the user leaves it by themselves. */
const isWorkedOut = ({ places }: Use): boolean => places.every(({ workedOut }) => workedOut === true);

async function personOf(context: Context, word: string): Promise<Person> {
  const { id } = await findNamed(context, users, word);
  const record = await readRecord(await context.api(), users, id);
  return { id, record, name: nameOf(users, record) ?? id };
}

async function deedsFor(
  context: Context,
  leaver: Person,
  heir: Person | undefined,
  { leaving, uses }: Parts,
): Promise<readonly Deed[]> {
  const end = (id: string, label: string, verb: string, call: Omit<Call, 'operation'>): Deed => ({
    resource: users,
    id,
    label,
    action: 'end',
    word: '',
    call: { ...call, operation: operationById(verb) },
  });
  const change = (use: Use): readonly Deed[] => {
    const { resource, calls } = use.kind;
    const after = withoutLeaving(use.record, leaving);
    const operation = calls.patch ?? calls.replace;
    if (leaving.has(use.id) || after === undefined || operation === undefined || isWorkedOut(use)) return [];
    const data = calls.patch ? mergePatch(use.record, after) : after;
    if (Object.keys(data).length === 0) return [];
    const call = { operation, path: pathTo(resource, use.id), data };
    const word = heir === undefined ? `without ${leaver.name}` : `${leaver.name} → ${heir.name}`;
    const { id, record: before } = use;
    return [{ resource, id, action: 'change', call, label: useLabel(use), word, before }];
  };
  const gone = (name: ResourceName, word = ''): readonly Deed[] =>
    [...uses.values()]
      .filter(({ kind, id }) => kind.resource.name === name && leaving.has(id))
      .map(({ kind: { resource }, id, record }) => {
        const call = { operation: operationFor(resource, 'delete'), path: pathTo(resource, id) };
        const numbers = textsIn(record.numbers).join(', ');
        const said = numbers === '' ? word : `for ${numbers}`;
        return { resource, id, action: 'delete', call, label: labelOf(resource, record), word: said };
      });
  const outOf = countsOf(
    Object.keys(isObject(leaver.record.directories) ? leaver.record.directories : {}),
    textsIn(leaver.record.queues),
  );
  const inherited = heir ? inheritance(leaver, heir, leaving) : [];
  const { calls, registered } = await liveOf(context, leaver, leaving);
  const mailboxes = heir
    ? `its messages, too; --keep-messages gives it to ${heir.name}`
    : 'its messages, too';
  return [
    ...[...uses.values()].flatMap(change),
    ...inherited,
    end(leaver.id, `sessions of ${leaver.name}`, 'tokens.reset-user-secret', {
      path: pathTo(users, leaver.id),
    }),
    ...calls.map((id) =>
      end(id, `live call ${id}`, 'channels.act', { path: { channel_id: id }, data: { action: 'hangup' } }),
    ),
    ...gone('callflows'),
    ...gone('vmboxes', mailboxes),
    ...gone('devices'),
    ...registered.map((username) =>
      end(username, `registrations of ${username}`, 'registrations.end', { path: { username } }),
    ),
    {
      resource: users,
      id: leaver.id,
      action: 'delete',
      label: labelOf(users, leaver.record),
      word: outOf === '' ? '' : `leaves ${outOf}`,
      call: { operation: operationFor(users, 'delete'), path: pathTo(users, leaver.id) },
    },
  ];
}

/** What goes with a user, and every record that refers to any of it, by id. */
interface Parts {
  readonly leaving: ReadonlyMap<string, Leaving>;
  readonly uses: ReadonlyMap<string, Use>;
}

async function partsOf(
  context: Context,
  leaver: Person,
  heir: Person | undefined,
  keepsMessages: boolean,
): Promise<Parts> {
  const reader = readOnce(serviceOf(await context.api(), await context.accountId()));
  const successor = heir && ({ resource: 'users', id: heir.id } as const);
  const boxes = heir && !keepsMessages ? await reader.list(kindByName('vmboxes')) : undefined;
  const box = boxes?.items.find((item) => item.owner_id === heir?.id);
  const heirsBox = box && ({ resource: 'vmboxes', id: String(box.id) } as const);
  const leaving = new Map<string, Leaving>([[leaver.id, { resource: 'users', successor }]]);
  const uses = new Map<string, Use>();
  for (let open = [leaver.id]; open.length > 0; ) {
    const targets = open.map((id) => ({ id, resource: leaving.get(id)?.resource ?? 'users' }));
    const found = await usesOf(reader, targets, readingIn(context));
    warnOfUnlisted(context, found);
    for (const use of found.uses) uses.set(use.id, use);
    open = [];
    for (const { id, kind, record } of uses.values()) {
      const { name } = kind.resource;
      const isOwn =
        record.owner_id === leaver.id && (name === 'devices' || (name === 'vmboxes' && !keepsMessages));
      const isLeft = name === 'callflows' && withoutLeaving(record, leaving) === undefined;
      if (leaving.has(id) || !(isOwn || isLeft)) continue;
      const next = name === 'vmboxes' ? heirsBox : name === 'devices' ? successor : undefined;
      leaving.set(id, { resource: name, successor: next });
      open.push(id);
    }
  }
  uses.delete(leaver.id);
  return { leaving, uses };
}

/** Directories and queues of the leaver that the heir is not in yet; these stand in the records of users. */
function inheritance(leaver: Person, heir: Person, leaving: Parts['leaving']): readonly Deed[] {
  const own = isObject(heir.record.directories) ? heir.record.directories : {};
  const directories = Object.fromEntries(
    Object.entries(isObject(leaver.record.directories) ? leaver.record.directories : {}).filter(
      ([id, callflow]) => !Object.hasOwn(own, id) && !leaving.has(String(callflow)),
    ),
  );
  const taken = textsIn(heir.record.queues);
  const queues = textsIn(leaver.record.queues).filter((id) => !taken.includes(id));
  const said = countsOf(Object.keys(directories), queues);
  if (said === '') return [];
  const data = {
    ...(Object.keys(directories).length === 0 ? {} : { directories }),
    ...(queues.length === 0 ? {} : { queues: [...taken, ...queues] }),
  };
  const call = { operation: operationFor(users, 'patch'), path: pathTo(users, heir.id), data };
  const label = labelOf(users, heir.record);
  const { id, record: before } = heir;
  return [{ resource: users, id, action: 'change', label, word: `joins ${said}`, before, call }];
}

const countsOf = (directories: readonly string[], queues: readonly string[]): string =>
  [
    ...(directories.length === 0 ? [] : [counted(directories.length, 'directory', 'directories')]),
    ...(queues.length === 0 ? [] : [counted(queues.length, 'queue')]),
  ].join(' and ');

/** Live calls of a user, and SIP user names under which the phones of the user are registered. */
async function liveOf(
  context: Context,
  leaver: Person,
  leaving: Parts['leaving'],
): Promise<{ readonly calls: readonly string[]; readonly registered: readonly string[] }> {
  const calls = await listed(context, {
    operation: operationById('channels.of-user'),
    path: pathTo(users, leaver.id),
  });
  const phones = await listed(context, { operation: operationById('registrations.list') });
  const own = phones.filter(
    ({ owner_id: owner, authorizing_id: device }) => owner === leaver.id || leaving.has(String(device)),
  );
  return {
    calls: calls.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : [])),
    registered: [...new Set(own.flatMap(({ username }) => (typeof username === 'string' ? [username] : [])))],
  };
}

/** What is live, where the service shows it. What cannot be read ends with the user, or by itself. */
async function listed(context: Context, call: Call): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  try {
    for await (const page of (await context.api()).pages(call)) items.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || ['interrupted', 'auth'].includes(error.kind)) throw error;
    if (!isNotOffered(error, call.operation))
      context.notices.warn(
        `"${call.operation.summary}" failed: what is live then is not known. ${error.message}`,
      );
  }
  return items;
}

async function doAll(context: Context, deeds: readonly Deed[]): Promise<void> {
  const api = await context.api();
  for (const [index, { action, resource, id, label, call }] of deeds.entries()) {
    context.notices.progress(index, deeds.length, 'make changes');
    try {
      if (action === 'delete') await removed(context, resource, id, label);
      else await api.call(call);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // What is live may have ended by itself, and goes with the user.
      if (action === 'end' && (error.kind === 'not_found' || error.inDoubt)) continue;
      const before = deeds.slice(0, index).map((each) => each.label);
      if (before.length === 0) throw error;
      throw withFacts(error, {
        lines: [...error.lines, `This may have been done before it: ${before.join(', ')}.`],
        hint: leadsOn`${error.inDoubt && error.hint ? `${error.hint} ` : ''}Repeat the command to go on, or take it back: ${nextStep`undo`}.`,
      });
    }
  }
}
