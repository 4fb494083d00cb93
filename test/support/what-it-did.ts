import { isAbsolute, relative, resolve } from 'node:path';
import { type Files, files } from '../../src/base/host/files.ts';
import { type Processes, processes } from '../../src/base/host/processes.ts';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { optionGroups } from '../../src/cli/shell/help/help-page.ts';
import { doesOfInput } from '../../src/cli/shell/self/list-commands.ts';
import { type Does, requestEffects } from '../../src/contract/capabilities.ts';
import { operationOfRequest } from '../../src/contract/paths.ts';
import type { SentRequest } from './inject-transport.ts';
import type { Run, RunOptions, World } from './world.ts';

/** A machine that records access to files and programs. */
export interface Recorded {
  readonly run: Pick<RunOptions, 'disk' | 'processes'>;
  /** Paths, without following links, and the kind of access. */
  readonly done: readonly (readonly [Does, string])[];
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !way.startsWith('..') && !isAbsolute(way);
};

/** Returns a machine that records files opened or written outside the folders `own`, and started programs. */
export function recordingMachine(cwd: string, own: readonly string[]): Recorded {
  const done: (readonly [Does, string])[] = [];
  const recordAccess =
    <A extends unknown[], R>(word: Does, work: (path: string, ...rest: A) => R) =>
    (path: string, ...rest: A): R => {
      const full = resolve(cwd, path);
      if (!own.some((folder) => isBelow(folder, full)) && !full.endsWith('.telctl.yaml'))
        done.push([word, full]);
      return work(path, ...rest);
    };
  const disk: Partial<Files> = {
    readBytes: recordAccess('reads-files', files.readBytes),
    within(folder, options) {
      const inFolder = files.within(folder, options);
      return { ...inFolder, readBytes: recordAccess('reads-files', inFolder.readBytes) };
    },
    readPipe: recordAccess('reads-files', files.readPipe),
    writePrivate: recordAccess('writes-files', files.writePrivate),
    writePrivateLater: recordAccess('writes-files', files.writePrivateLater),
    openAppendOnly: recordAccess('writes-files', files.openAppendOnly),
    writePublic: recordAccess('writes-files', files.writePublic),
    move: recordAccess('writes-files', files.move),
    remove: recordAccess('writes-files', files.remove),
  };
  const recordStart =
    <A extends unknown[], R>(work: (...all: A) => R) =>
    (...all: A): R => {
      done.push(['starts-programs', String(all[0])]);
      return work(...all);
    };
  const programs: Partial<Processes> = {
    runAttached: recordStart(processes.runAttached),
    startQuietly: recordStart(processes.startQuietly),
  };
  return { run: { disk, processes: programs }, done };
}

/** Returns the capabilities that the requests of a run used, with their operations. */
export const capabilitiesOfRequests = (sent: readonly SentRequest[]): readonly (readonly [Does, string])[] =>
  sent.flatMap(({ method, path, body }) => {
    const meant = operationOfRequest(method, path, isObject(body) ? body : undefined);
    return meant
      ? [...requestEffects(meant.operation, meant.data)].map((word) => [word, meant.operation.id] as const)
      : [];
  });

/** Returns the ids of the operations that a run called. */
export const operationsOfRequests = (sent: readonly SentRequest[]): readonly string[] =>
  sent.flatMap(
    ({ method, path, body }) =>
      operationOfRequest(method, path, isObject(body) ? body : undefined)?.operation.id ?? [],
  );

/** Returns the capabilities that the options of a command line declare. */
export async function capabilitiesOfOptions(
  command: Command,
  argv: readonly string[],
): Promise<ReadonlySet<Does>> {
  const specs = (await optionGroups(command)).flatMap(([, group]) => Object.values(group));
  const given = specs.filter(({ flag, short }) =>
    argv.some((word) => word === `--${flag}` || word.startsWith(`--${flag}=`) || word === `-${short}`),
  );
  return new Set(given.flatMap(doesOfInput));
}

/** Returns the capability of a run that printed a key or password of the world. */
export const capabilitiesOfOutput = (
  { seed: { apiKey, adminPassword, superPassword } }: World,
  { stdout }: Run,
): readonly (readonly [Does, string])[] =>
  [apiKey, adminPassword, superPassword].some((secret) => stdout.includes(secret))
    ? [['shows-secrets', 'stdout']]
    : [];
