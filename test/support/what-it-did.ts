import { isAbsolute, relative, resolve } from 'node:path';
import { type Files, files } from '../../src/base/host/files.ts';
import { type Processes, processes } from '../../src/base/host/processes.ts';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { optionGroups } from '../../src/cli/shell/help/help-page.ts';
import { doesWith } from '../../src/cli/shell/self/list-commands.ts';
import { type Does, doesOf } from '../../src/contract/capabilities.ts';
import { operationOfRequest } from '../../src/contract/paths.ts';
import type { SentRequest } from './inject-transport.ts';
import type { Run, RunOptions, World } from './world.ts';

/** A machine that keeps what was done to it. */
export interface Recorded {
  readonly run: Pick<RunOptions, 'disk' | 'processes'>;
  /** Paths, links not followed, with the word for what was done. */
  readonly done: readonly (readonly [Does, string])[];
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
};

/** Returns a machine that keeps which files a run opens and writes outside `own` folders, and which programs it starts. */
export function recordingMachine(cwd: string, own: readonly string[]): Recorded {
  const done: (readonly [Does, string])[] = [];
  const noting =
    <A extends unknown[], R>(word: Does, work: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R => {
      const full = resolve(cwd, path);
      if (!own.some((folder) => isBelow(folder, full)) && !full.endsWith('.telctl.yaml'))
        done.push([word, full]);
      return work(path, ...rest);
    };
  const disk: Partial<Files> = {
    readBytes: noting('reads-files', files.readBytes),
    within(folder, options) {
      const inFolder = files.within(folder, options);
      return { ...inFolder, readBytes: noting('reads-files', inFolder.readBytes) };
    },
    readPipe: noting('reads-files', files.readPipe),
    writePrivate: noting('writes-files', files.writePrivate),
    writePrivateLater: noting('writes-files', files.writePrivateLater),
    openAppendOnly: noting('writes-files', files.openAppendOnly),
    writePublic: noting('writes-files', files.writePublic),
    move: noting('writes-files', files.move),
    remove: noting('writes-files', files.remove),
  };
  const starting =
    <A extends unknown[], R>(work: (...all: A) => R) =>
    (...all: A): R => {
      done.push(['starts-programs', String(all[0])]);
      return work(...all);
    };
  const programs: Partial<Processes> = {
    runAttached: starting(processes.runAttached),
    startQuietly: starting(processes.startQuietly),
  };
  return { run: { disk, processes: programs }, done };
}

/** Words for what the requests of a run did, with the operation. */
export const doesOfRequests = (sent: readonly SentRequest[]): readonly (readonly [Does, string])[] =>
  sent.flatMap(({ method, path, body }) => {
    const meant = operationOfRequest(method, path, isObject(body) ? body : undefined);
    return meant
      ? [...doesOf(meant.operation, meant.data)].map((word) => [word, meant.operation.id] as const)
      : [];
  });

/** Operations that the requests of a run called, by their ids. */
export const operationsOfRequests = (sent: readonly SentRequest[]): readonly string[] =>
  sent.flatMap(
    ({ method, path, body }) =>
      operationOfRequest(method, path, isObject(body) ? body : undefined)?.operation.id ?? [],
  );

/** Words that the options of a line declare. */
export async function doesOfOptions(command: Command, argv: readonly string[]): Promise<ReadonlySet<Does>> {
  const specs = (await optionGroups(command)).flatMap(([, group]) => Object.values(group));
  const given = specs.filter(({ flag, short }) =>
    argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`) || word === `-${short}`),
  );
  return new Set(given.flatMap(doesWith));
}

/** Word for a run that printed the world's key or a password of its. */
export const shownSecrets = (
  { seed: { apiKey, adminPassword, superPassword } }: World,
  { stdout }: Run,
): readonly (readonly [Does, string])[] =>
  [apiKey, adminPassword, superPassword].some((secret) => stdout.includes(secret))
    ? [['shows-secrets', 'stdout']]
    : [];
