import { join, resolve } from 'node:path';
import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, parsedJson } from '../../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { withoutSecret } from '../target-client.ts';
import type { Delivery } from './receiver.ts';

/** An event that was received, as it is shown and kept: never with the shared secret. */
export interface ReceivedEvent {
  readonly [key: string]: Json | undefined;
  /** Short name of its own, for `replay`. */
  readonly id: string;
  /** ISO time, UTC. */
  readonly received_at: string;
  readonly hook: string;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly verb: 'get' | 'post' | 'put';
  readonly format: 'form-data' | 'json';
  /** Address that a listener sent it on to. */
  readonly forward?: string;
  readonly payload: JsonObject;
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put' } as const;

const textAt = (payload: JsonObject, key: string): string => {
  const value = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Returns what came in, as an event. `subscribed` is the hook of the webhook that it is of. */
export function eventOf(
  { host }: Pick<Context, 'host'>,
  delivery: Delivery,
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
  const value = parsedJson(line);
  // Lines are written whole by a listener; the last one of a killed one may be a part, which is no JSON.
  return isObject(value) && typeof value.id === 'string' && isObject(value.payload)
    ? (value as unknown as ReceivedEvent)
    : undefined;
}

/** An event in a few words: who called whom, what was changed. */
export function summaryOf({ hook, payload }: Pick<ReceivedEvent, 'hook' | 'payload'>): string {
  const at = (key: string): string => textAt(payload, key);
  const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('  ');
  const between = (from: string, to: string): string => (from === '' && to === '' ? '' : `${from} → ${to}`);
  if (hook.startsWith('channel_')) {
    const seconds = at('duration_seconds');
    return words(
      between(at('caller_id_number') || at('from'), at('callee_id_number') || at('to')),
      at('call_direction'),
      at('hangup_cause'),
      seconds === '' ? '' : `${seconds} s`,
    );
  }
  if (hook === 'object') return words(at('action'), at('type'), at('id'));
  if (hook === 'sms') return words(between(at('from'), at('to')), at('body'));
  const people = between(at('caller_id_number'), at('callee_id_number'));
  return words(at('event_name') || at('type'), people, at('voicemail_box'), at('fax_id'));
}

/** Size in bytes from which a file of events is followed by another. */
const largestFile = 2_097_152;
/** Most files of events; older ones are removed. */
const filesAtMost = 12;

const folderOf = ({ folders }: Pick<Host, 'folders'>): string => join(folders.state, 'events');

const filesIn = (host: Host): readonly string[] =>
  host.files.list(folderOf(host)).filter((name) => name.endsWith('.ndjson'));

/** Opens a store for one listener: private files of one event a line, of which the oldest go when there are many. */
export function openEventStore(host: Host) {
  const { files, clock, processes } = host;
  let count = 0;
  let size = 0;
  let file: ReturnType<Host['files']['growPrivate']> | undefined;
  const next = (): ReturnType<Host['files']['growPrivate']> => {
    file?.close();
    const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
    const nonce = Buffer.from(host.random.bytes(3)).toString('hex');
    const opened = files.growPrivate(
      join(folderOf(host), `${stamp}-${processes.pid}-${String(count++).padStart(4, '0')}-${nonce}.ndjson`),
    );
    for (const old of filesIn(host).slice(0, -filesAtMost)) files.remove(join(folderOf(host), old));
    size = 0;
    file = opened;
    return opened;
  };
  return {
    /** Keeps an event; the system has it when this returns. */
    keep(event: ReceivedEvent): void {
      const line = `${JSON.stringify(event)}\n`;
      const here = file === undefined || size + line.length > largestFile ? next() : file;
      here.add(line);
      size += line.length;
    },
    close: (): void => file?.close(),
  };
}

/** All events that listeners have kept on this machine, oldest first. */
export function keptEvents(host: Host): readonly ReceivedEvent[] {
  return filesIn(host)
    .flatMap((name) => (host.files.readKept(join(folderOf(host), name))?.text ?? '').split('\n'))
    .flatMap((line) => (line === '' ? [] : (readEvent(line) ?? [])))
    .sort((one, other) => (one.received_at < other.received_at ? -1 : 1));
}

/**
 * Opens what `--save` names, for the owner alone: a folder, in which each event is a file, or a new file of an event a
 * line. Throws `Failure` (`usage`) for a file that exists.
 */
export function openSaved({ cwd, files }: Pick<Host, 'cwd' | 'files'>, target: string) {
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
    const file = files.growPrivate(path);
    return {
      save: (event: ReceivedEvent) => file.add(`${JSON.stringify(event)}\n`),
      close: () => file.close(),
    };
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new Failure('usage', `${target} ${exists ? 'is there already' : 'cannot be written'}.`, {
      hint: exists ? 'Give --save another file, or a folder.' : undefined,
      cause,
    });
  }
}

/** Returns the machine's error code when it cannot write: a full disk, a folder that went away. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Keeps events by `write`. Trouble with the disk ends no listener: it is said once, and counted. */
export function keepingBy(
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
        const code = codeOf(error);
        if (code === undefined) throw error;
        if (lost === 0) notices.warn(`${meaning} (${code}). Events are shown all the same.`);
        lost += 1;
      }
    },
    lost: (): number => lost,
  };
}
