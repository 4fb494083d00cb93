import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Finding, LintRule } from '../../engine/callflows/finding.ts';
import type { FlowSet } from '../../engine/callflows/flow-set.ts';
import type { DatabaseStateParts } from '../../engine/state/open-state.ts';
import type { State } from '../../engine/state/state.ts';
import type { Command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { ListResult, ReportResult, Result } from '../command/result.ts';
import type { DoctorCheck } from './doctor/check-machine.ts';
import type { ApplyInput } from './manifest/apply/resume.ts';
import type { AccountPlanning } from './manifest/plan/planning.ts';
import type { Noun } from './nouns.ts';

/** A noun of an extension, and the noun that it follows on the help page. */
export interface ExtensionNoun extends Noun {
  readonly after: string;
}

type PlannedAccount = Pick<AccountPlanning, 'desired' | 'plan'>;

/** Finds the calls that a plan changes, by running call cases before and after it. */
export interface ChangedCalls {
  addChangedCalls(
    context: Context,
    report: ReportResult,
    accounts: readonly PlannedAccount[],
    files: readonly string[],
  ): Promise<ReportResult>;
  /** Asks before a plan breaks a case that passes. Throws `Failure` (`refused`, `interrupted`). */
  agreeToCalls(
    context: Context,
    accounts: readonly PlannedAccount[],
    input: { calls: readonly string[]; allowCallChanges?: boolean | undefined },
  ): Promise<void>;
}

/** A rollout as the page of the console shows it. */
export interface ShownRollout {
  readonly id: string;
  readonly at: string;
  readonly who: string;
  readonly set: string;
  readonly state: 'running' | 'stopped' | 'cancelled' | 'finished';
  readonly why?: string | undefined;
  readonly facts: readonly string[];
  readonly counts: RolloutCounts;
  readonly waves: readonly RolloutCounts[];
  readonly failedWave?: number | undefined;
}

export interface RolloutCounts {
  readonly done: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly running: number;
  readonly waiting: number;
}

export interface RolloutFailure {
  readonly accountId: string;
  readonly name: string;
  readonly wave: number;
  readonly why: string;
}

/** Reads the rollouts that the signed-in user may see. */
export interface RolloutReader {
  rollouts(): AsyncIterable<ShownRollout>;
  rolloutFailures(id: string): AsyncIterable<RolloutFailure>;
}

/** Functions that the core calls if an extension provides them. Each loads its code when it is called. */
export interface ExtensionParts {
  readonly lint: () => Promise<(set: FlowSet, disabled?: ReadonlySet<LintRule>) => readonly Finding[]>;
  readonly auditEmergency: (context: Context) => Promise<ListResult>;
  readonly changedCalls: () => Promise<ChangedCalls>;
  readonly casesSchema: () => Promise<JsonObject>;
  /** `apply --accounts`: a rollout in one wave, or in two waves with `--canary`. */
  readonly applyFleet: (context: Context, input: ApplyInput, file: string) => Promise<Result>;
  readonly openDatabaseState: (parts: DatabaseStateParts) => Promise<State>;
  readonly readRollouts: (context: Context) => Promise<RolloutReader>;
  readonly checkSandboxes: (host: Host) => Promise<readonly DoctorCheck[]>;
  readonly serveInBackground: (input: string | undefined, host: Host) => Promise<void>;
}

/** The additions of a folder of `src/extensions` to the core. */
export interface Extension {
  readonly name: string;
  readonly nouns: readonly ExtensionNoun[];
  readonly commands?: Readonly<Record<string, () => Promise<readonly Command[]>>>;
  readonly parts?: Partial<ExtensionParts>;
}

let installed: readonly Extension[] = [];

/** Sets the extensions of this process. `src/extensions.ts` calls it once, before a command line is read. */
export function installExtensions(extensions: readonly Extension[]): void {
  installed = extensions;
}

export const installedExtensions = (): readonly Extension[] => installed;

/** Returns a function that an extension provides, or `undefined`. */
export const extensionPart = <K extends keyof ExtensionParts>(name: K): ExtensionParts[K] | undefined =>
  installed.find(({ parts }) => parts?.[name])?.parts?.[name];

/** Returns a function of an extension. Throws `usage` without one; `what` begins the message. */
export function requirePart<K extends keyof ExtensionParts>(name: K, what: string): ExtensionParts[K] {
  const part = extensionPart(name);
  if (!part)
    throw new Failure('usage', `${what} needs an extension that this build of telctl does not include.`, {
      hint: 'Install the complete telctl.',
    });
  return part;
}
