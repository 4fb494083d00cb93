import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { parseShownDay, parseShownNumber } from '../../../base/shown-form.ts';
import { isTimeZone, parseDay, secondsOfDay, timesOfLocal } from '../../../base/zoned-time.ts';
import { ports } from '../../../contract/resources/ports.ts';
import { type Command, defineCommand, type ParsedValue } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { accountZone } from '../records/account-time.ts';
import { operationFor } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';

/** Converts a moment, a local time, or a day in the given zone or the account's. Throws `usage`. */
async function portingTime(context: Context, date: ParsedValue, timezone: ParsedValue): Promise<JsonObject> {
  if (typeof date !== 'string') return {};
  const named = parseShownDay('moment', date);
  if (typeof timezone === 'string') {
    const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/.exec(date) ?? [];
    if (day === undefined || parseShownDay('moment', day) === undefined)
      throw new Failure(
        'usage',
        `--date with --timezone must be a local time, such as "2030-01-31 09:00", not ${JSON.stringify(date)}.`,
      );
    if (!isTimeZone(timezone))
      throw new Failure('usage', `--timezone: there is no time zone ${JSON.stringify(timezone)}.`);
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const [atS] = timesOfLocal(timezone, {
      day: parseDay(day) ?? 0,
      second: hour * 3600 + minute * 60,
    });
    if (atS === undefined)
      throw new Failure(
        'usage',
        `--date: the time ${day} ${time} does not exist in ${timezone} because of a clock change.`,
      );
    warnOfPast(context, date, atS);
    return { schedule_on: { timezone, date_time: `${day} ${time}` } };
  }
  if (named !== undefined) {
    const scheduled = parseShownNumber('moment', date, await accountZone(context)) ?? 0;
    // The current day is not in the past, although it began.
    warnOfPast(context, date, scheduled - gregorianOffset + secondsOfDay);
    return { scheduled_date: scheduled };
  }
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(date);
  const ms = isMoment ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Failure(
      'usage',
      `--date must be a date or a moment, such as 2030-01-31T09:00Z, not ${JSON.stringify(date)}.`,
      { hint: 'For a local time, add --timezone, such as America/New_York.' },
    );
  warnOfPast(context, date, Math.floor(ms / 1000));
  return { scheduled_date: Math.floor(ms / 1000) + gregorianOffset };
}

function warnOfPast({ host, notices }: Context, date: string, atS: number): void {
  if (atS * 1000 < host.clock.now()) notices.warn(`--date ${date} is in the past.`);
}

const portArguments = {
  id: argumentFor(ports),
} as const;
const stateChanges = [
  { verb: 'submit', done: 'Submitted' },
  { verb: 'pend', done: 'Started work on' },
  { verb: 'complete', done: 'Completed' },
  { verb: 'reject', done: 'Rejected' },
  { verb: 'cancel', done: 'Canceled' },
] as const;

const stateChangeCommands = stateChanges.map(({ verb, done }): Command => {
  const operation = operationFor(ports, verb);
  return callCommand({
    operation,
    arguments: { ids: { ...portArguments.id, rest: true } },
    options: { reason: { value: 'TEXT', doc: 'Reason, shown in the timeline', into: { data: 'reason' } } },
    examples: {
      [`telctl ports ${verb} "Main numbers" "Fax numbers"`]: 'Move several requests',
      [`telctl ports ${verb} "Main numbers" --reason "As agreed"`]: 'Add a reason',
    },
    each: { done, state: 'port_state' },
    isDone: (port) => port?.port_state === operation.path.split('/').at(-1),
  });
});

/** Adds the reason as text, which services store in different places and formats. */
function withReason(entry: JsonObject): JsonObject {
  const { reason = valueAt(entry, 'transition.reason') ?? valueAt(entry, 'authorization.reason') } = entry;
  if (!isObject(reason)) return reason === undefined ? entry : { ...entry, reason };
  const words = [reason.code, reason.message ?? reason.reason].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  );
  return words.length === 0 ? entry : { ...entry, reason: words.join(' ') };
}

const file = {
  name: 'FILE',
  doc: 'PDF or image, such as the signed letter or a bill',
  completes: 'file',
} as const;
const document = { name: 'NAME', doc: 'Name of the document, such as bill.pdf' } as const;
export const documentArguments = { ...portArguments, file } as const;
export const documentOptions = {
  name: { value: 'NAME', doc: 'Name of the document (default: that of the file)' },
  force: { doc: 'Replace an existing document of this name' },
} as const;

const documentCommands: readonly Command[] = [
  callCommand({
    path: ['ports', 'documents', 'list'],
    operation: operationFor(ports, 'documents'),
    arguments: portArguments,
    examples: { 'telctl ports documents list "Main numbers"': 'List names, types and sizes' },
    gives: {
      noun: 'documents',
      rows: { keyed: 'name' },
      columns: [
        { header: 'NAME', paths: ['name'] },
        { header: 'TYPE', paths: ['content_type'] },
        { header: 'BYTES', paths: ['length'] },
      ],
    },
  }),
  defineCommand({
    path: ['ports', 'documents', 'add'],
    summary: 'Add a document to a port request',
    arguments: documentArguments,
    options: documentOptions,
    effect: 'write',
    examples: {
      'telctl ports documents add "Main numbers" bill.pdf': 'Add the bill of the losing carrier',
      'telctl ports documents add "Main numbers" scan.pdf --name form.pdf': 'Add it with another name',
    },
    operations: ['ports.add-document', 'ports.replace-document', 'ports.documents'],
    load: async () => (await import('./documents.ts')).addDocument,
  }),
  callCommand({
    path: ['ports', 'documents', 'get'],
    operation: operationFor(ports, 'document'),
    arguments: { ...portArguments, document },
    examples: {
      'telctl ports documents get "Main numbers" bill.pdf bill.pdf': 'Download to a new file',
    },
    saves: {},
  }),
  callCommand({
    path: ['ports', 'documents', 'delete'],
    operation: operationFor(ports, 'delete-document'),
    arguments: { ...portArguments, document },
    examples: {
      'telctl ports documents delete "Main numbers" bill.pdf --yes': 'Delete it without a question',
    },
    asks: 'Delete document {document} of port {id}?',
    says: 'Deleted document {document} of port {id}.',
    async lookUp(api, { path }) {
      const { data } = await api.call({ operation: operationFor(ports, 'documents'), path });
      return isObject(data) && Object.hasOwn(data, path.attachment_id ?? '') ? undefined : {};
    },
  }),
];

export const portsCommands: readonly Command[] = [
  ...genericCommands(ports, ['ports']),
  ...stateChangeCommands,
  callCommand({
    operation: operationFor(ports, 'schedule'),
    arguments: portArguments,
    options: {
      date: {
        value: 'DATE',
        doc: 'Day or time of the porting: 2030-01-31 in the account’s time zone, 2030-01-31T09:00Z, or local with --timezone',
        into: 'nowhere',
      },
      timezone: {
        value: 'ZONE',
        doc: 'Time zone of --date, such as America/New_York',
        needs: ['date'],
        into: 'nowhere',
      },
    },
    body: ports,
    // The specification allows an empty body; compatible services require a date.
    async data({ data }, context, { date, timezone }) {
      return { ...(isObject(data) ? data : {}), ...(await portingTime(context, date, timezone)) };
    },
    examples: {
      'telctl ports schedule "Main numbers" --date 2030-01-31T09:00Z': 'Schedule at a moment',
      'telctl ports schedule "Main numbers" --date "2030-01-31 09:00" --timezone America/New_York':
        'Schedule at a local time',
    },
    each: { done: 'Scheduled', state: 'port_state' },
    isDone: (port) => port?.port_state === 'scheduled',
  }),
  callCommand({
    operation: operationFor(ports, 'timeline'),
    arguments: portArguments,
    examples: { 'telctl ports timeline "Main numbers"': 'List moves and comments, oldest first' },
    gives: {
      resource: 'ports',
      noun: 'events',
      // The specification returns the request with a timeline; other services return only the entries.
      rows(data) {
        const entries = isObject(data) ? data.timeline : data;
        return Array.isArray(entries) ? entries.filter(isObject).map(withReason) : undefined;
      },
      columns: [
        { header: 'TIME', paths: ['timestamp'], show: 'time' },
        { header: 'FROM', paths: ['transition.previous'] },
        { header: 'TO', paths: ['transition.new'] },
        { header: 'BY', paths: ['authorization.user.full_name', 'author'] },
        { header: 'REASON', paths: ['reason'] },
        { header: 'COMMENT', paths: ['content'] },
      ],
    },
  }),
  callCommand({
    path: ['ports', 'comments', 'list'],
    operation: operationFor(ports, 'comments'),
    arguments: portArguments,
    examples: { 'telctl ports comments list "Main numbers"': 'List comments, oldest first' },
    gives: {
      noun: 'comments',
      rows: (data) => objectsIn(valueAt(data, 'comments')),
      columns: [
        { header: 'TIME', paths: ['timestamp'], show: 'time' },
        { header: 'AUTHOR', paths: ['author'] },
        { header: 'PRIVATE', paths: ['is_private'], show: 'flag' },
        { header: 'COMMENT', paths: ['content'], show: 'sentence' },
      ],
    },
  }),
  callCommand({
    path: ['ports', 'comments', 'add'],
    operation: operationFor(ports, 'comment'),
    arguments: portArguments,
    options: {
      content: { value: 'TEXT', doc: 'Text of the comment', into: { data: 'content' } },
      isPrivate: { flag: 'private', doc: 'Show it only to the port authority', into: { data: 'is_private' } },
      actionRequired: { doc: 'Mark it as requiring an action', into: { data: 'action_required' } },
    },
    // Some services need an author and a date. Others set these themselves.
    async data({ data }, context, { content: typed }) {
      const content = typed ?? (await context.ask.text('Comment:', { option: '--content' }));
      if (String(content).trim() === '') throw new Failure('usage', 'A comment cannot be empty.');
      const { username, accountName, accountId } = (await context.session()).profile;
      const nowMs = (await context.api()).serviceNowMs() ?? context.host.clock.now();
      const timestamp = Math.floor(nowMs / 1000) + gregorianOffset;
      const author = username ?? accountName ?? accountId;
      return { comments: [{ ...(isObject(data) ? data : {}), content, author, timestamp }] };
    },
    // An earlier comment may have the same text.
    beside: {
      async records(api, { path }) {
        const port = await recordIfThere(api, ports, path.port_request_id ?? '');
        const said = Array.isArray(port?.comments) ? port.comments.filter(isObject) : [];
        return said.map((each) => ({ ...each, id: JSON.stringify(each) }));
      },
      isIt: ({ content }, { data }) => content === (valueAt(data, 'comments.0.content') ?? ''),
    },
    says: 'Commented on port {id}.',
    examples: {
      'telctl ports comments add "Main numbers" --content "Bill attached"': 'Comment to the port authority',
    },
  }),
  ...documentCommands,
];
