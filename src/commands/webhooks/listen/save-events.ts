import { join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Context } from '../../../command/context.ts';
import type { Host } from '../../../host/host.ts';
import type { ReceivedEvent } from './event-record.ts';

/** A copy of events that the user asked for. */
export interface SavedEvents {
  save(event: ReceivedEvent): void;
  close(): void;
}

/**
 * Opens what `--save` names: a folder, where each event becomes a file, or a new file of one event a line. Both are the
 * owner's alone. Throws `Failure` of kind `usage` where a file is there already.
 */
export function openSaved({ cwd, files }: Pick<Host, 'cwd' | 'files'>, target: string): SavedEvents {
  const path = resolve(cwd, target);
  const isFolder = files.kindOf(path) === 'folder' || target.endsWith('/');
  if (isFolder)
    return {
      save(event) {
        const name = `${event.received_at.replaceAll(/[:.]/g, '-')}-${event.hook.replaceAll(/[^\w-]/g, '_')}-${event.id}.json`;
        files.writePrivate(join(path, name), `${JSON.stringify(event, null, 2)}\n`);
      },
      close: () => undefined,
    };
  try {
    const file = files.growPrivate(path);
    return { save: (event) => file.add(`${JSON.stringify(event)}\n`), close: () => file.close() };
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new Failure('usage', `${target} ${exists ? 'is there already' : 'cannot be written'}.`, {
      hint: exists ? 'Give --save another file, or a folder.' : undefined,
      cause,
    });
  }
}

/** Keeps events in one place, as long as the machine lets it. */
export interface Keeping {
  add(event: ReceivedEvent): void;
  /** Returns the number of events that could not be kept. */
  readonly lost: () => number;
}

/** Returns the machine's error code when it cannot write: a full disk, a folder that went away. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * Keeps events by `write`. Trouble with the disk does not end a listener: it is said once, with what it means, and the
 * events that are not kept are counted.
 */
export function keepingBy(
  { notices }: Pick<Context, 'notices'>,
  write: (event: ReceivedEvent) => void,
  meaning: string,
): Keeping {
  let lost = 0;
  return {
    add(event) {
      try {
        write(event);
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        if (lost === 0) notices.warn(`${meaning} (${code}). Events are shown all the same.`);
        lost += 1;
      }
    },
    lost: () => lost,
  };
}
