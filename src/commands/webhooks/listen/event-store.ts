import { join } from 'node:path';
import type { Host } from '../../../host/host.ts';
import { type ReceivedEvent, readEvent } from './event-record.ts';

/** A file of events is followed by another when it is larger than this. */
const largestFile = 2_097_152;
/** Older files are removed. */
const filesAtMost = 12;

const folderOf = ({ folders }: Pick<Host, 'folders'>): string => join(folders.state, 'events');

const filesIn = (host: Host): readonly string[] =>
  host.files.list(folderOf(host)).filter((name) => name.endsWith('.ndjson'));

/** The place where a listener keeps what it receives. */
export interface EventStore {
  /** Keeps an event; the system has it when this returns. */
  keep(event: ReceivedEvent): void;
  close(): void;
}

/** Opens a store for one listener: private files of one event a line, of which the oldest go when there are many. */
export function openEventStore(host: Host): EventStore {
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
    keep(event) {
      const line = `${JSON.stringify(event)}\n`;
      const here = file === undefined || size + line.length > largestFile ? next() : file;
      here.add(line);
      size += line.length;
    },
    close: () => file?.close(),
  };
}

/** All events that listeners have kept on this machine, oldest first. */
export function keptEvents(host: Host): readonly ReceivedEvent[] {
  return filesIn(host)
    .flatMap((name) => (host.files.readKept(join(folderOf(host), name))?.text ?? '').split('\n'))
    .flatMap((line) => (line === '' ? [] : (readEvent(line) ?? [])))
    .sort((one, other) => (one.received_at < other.received_at ? -1 : 1));
}
