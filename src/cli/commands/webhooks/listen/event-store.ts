import { join, resolve } from 'node:path';
import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { withoutSecret } from '../target-client.ts';
import type { ReceivedDelivery } from './receiver.ts';

/** A received event, as shown and stored, without the shared secret. */
export interface ReceivedEvent {
  readonly [key: string]: Json | undefined;
  readonly id: string;
  readonly received_at: string;
  readonly hook: string;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly verb: 'get' | 'post' | 'put';
  readonly format: 'form-data' | 'json';
  /** Address to which a listener forwarded it. */
  readonly forward?: string;
  readonly payload: JsonObject;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put' } as const;

const textAt = (payload: JsonObject, key: string): string => {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Converts a request to an event. `subscribed`: hook of its webhook. */
export function eventOf(
  { host }: Pick<Context, 'host'>,
  delivery: ReceivedDelivery,
  subscribed: string | undefined,
  forward: string | undefined,
): ReceivedEvent {
  const { payload, method, format, webhookId, accountId } = delivery;
  return {
    id: Buffer.from(host.random.bytes(4)).toString('hex'),
    received_at: new Date(host.clock.now()).toISOString(),
    hook: textAt(payload, 'hook_event') || subscribed || 'unknown',
    account_id: textAt(payload, 'account_id') || accountId || '',
    webhook_id: webhookId ?? '',
    verb: verbs[method],
    format,
    ...(forward === undefined ? {} : { forward }),
    payload: withoutSecret(payload),
  };
}

function readEvent(line: string): ReceivedEvent | undefined {
  const value = parseJson(line);
  // The last line of a killed listener may be incomplete.
  return isObject(value) && typeof value.id === 'string' && isObject(value.payload)
    ? (value as unknown as ReceivedEvent)
    : undefined;
}

/** Summarizes an event: caller and callee, or the changed object. */
export function summarizeEvent({ hook, payload }: Pick<ReceivedEvent, 'hook' | 'payload'>): string {
  const fieldText = (key: string): string => textAt(payload, key);
  const joinParts = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('  ');
  const formatParties = (from: string, to: string): string =>
    from === '' && to === '' ? '' : `${from} → ${to}`;
  if (hook.startsWith('channel_')) {
    const seconds = fieldText('duration_seconds');
    return joinParts(
      formatParties(
        fieldText('caller_id_number') || fieldText('from'),
        fieldText('callee_id_number') || fieldText('to'),
      ),
      fieldText('call_direction'),
      fieldText('hangup_cause'),
      seconds === '' ? '' : `${seconds} s`,
    );
  }
  if (hook === 'object') return joinParts(fieldText('action'), fieldText('type'), fieldText('id'));
  if (hook === 'sms') return joinParts(formatParties(fieldText('from'), fieldText('to')), fieldText('body'));
  const people = formatParties(fieldText('caller_id_number'), fieldText('callee_id_number'));
  return joinParts(
    fieldText('event_name') || fieldText('type'),
    people,
    fieldText('voicemail_box'),
    fieldText('fax_id'),
  );
}

const maxFileSize = 2_097_152;
/** The oldest files are removed. */
const maxFiles = 12;

const folderOf = ({ folders }: Pick<Host, 'folders'>): string => join(folders.state, 'events');

const filesIn = (host: Host): readonly string[] =>
  host.files.list(folderOf(host)).filter((name) => name.endsWith('.ndjson'));

/** Opens a store for one listener: private files with one event a line. Removes the oldest files. */
export function openEventStore(host: Host) {
  const { files, clock, processes } = host;
  let count = 0;
  let size = 0;
  let file: ReturnType<Host['files']['openAppendOnly']> | undefined;
  const next = (): ReturnType<Host['files']['openAppendOnly']> => {
    file?.close();
    const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
    const nonce = Buffer.from(host.random.bytes(3)).toString('hex');
    const opened = files.openAppendOnly(
      join(folderOf(host), `${stamp}-${processes.pid}-${String(count++).padStart(4, '0')}-${nonce}.ndjson`),
    );
    for (const old of filesIn(host).slice(0, -maxFiles)) files.remove(join(folderOf(host), old));
    size = 0;
    file = opened;
    return opened;
  };
  return {
    /** The event is written when this returns. */
    keep(event: ReceivedEvent): void {
      const line = `${JSON.stringify(event)}\n`;
      const here = file === undefined || size + line.length > maxFileSize ? next() : file;
      here.add(line);
      size += line.length;
    },
    close: (): void => file?.close(),
  };
}

/** All stored events of this machine, oldest first. */
export function storedEvents(host: Host): readonly ReceivedEvent[] {
  return filesIn(host)
    .flatMap((name) => (host.files.readLargeText(join(folderOf(host), name))?.text ?? '').split('\n'))
    .flatMap((line) => (line === '' ? [] : (readEvent(line) ?? [])))
    .sort((one, other) => (one.received_at < other.received_at ? -1 : 1));
}

/** Opens a private folder with a file for each event, or a new file. Throws `usage` if the file exists. */
export function openSaveTarget({ cwd, files }: Pick<Host, 'cwd' | 'files'>, target: string) {
  const path = resolve(cwd, target);
  const isFolder = files.kindOf(path) === 'folder' || target.endsWith('/');
  if (isFolder)
    return {
      save(event: ReceivedEvent): void {
        const name = `${event.received_at.replaceAll(/[:.]/g, '-')}-${event.hook.replaceAll(/[^\w-]/g, '_')}-${event.id}.json`;
        files.writePrivate(join(path, name), `${JSON.stringify(event, null, 2)}\n`);
      },
      close: () => undefined,
    };
  try {
    const file = files.openAppendOnly(path);
    return {
      save: (event: ReceivedEvent) => file.add(`${JSON.stringify(event)}\n`),
      close: () => file.close(),
    };
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new Failure('usage', `${target} ${exists ? 'already exists' : 'cannot be written'}.`, {
      hint: exists ? 'Name another file or a folder with --save.' : undefined,
      cause,
    });
  }
}

/** Returns the error code of a failed write, such as a full disk or a deleted folder. */
const writeErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Stores events with `write`. Write errors do not stop the listener. They are reported once and counted. */
export function eventWriter(
  { notices }: Pick<Context, 'notices'>,
  write: (event: ReceivedEvent) => void,
  meaning: string,
) {
  let lost = 0;
  return {
    add(event: ReceivedEvent): void {
      try {
        write(event);
      } catch (error) {
        const code = writeErrorCode(error);
        if (code === undefined) throw error;
        if (lost === 0) notices.warn(`${meaning} (${code}). Events are still shown.`);
        lost += 1;
      }
    },
    lost: (): number => lost,
  };
}
