import type { Decimal } from '../../base/decimal.ts';
import type { Host } from '../../base/host/host.ts';
import type { Lines } from '../../base/wording.ts';
import type { Api, ApiParts, GuardedRequest } from '../../client/api/api.ts';
import type { Session, SessionParts } from '../../client/session/session.ts';
import type { Settings } from '../../client/session/settings.ts';
import type { RunFacts } from '../../engine/state/log.ts';
import type { State } from '../../engine/state/state.ts';
import type { ReportLine } from './result.ts';

/** One charged item. Amounts are decimal numbers as text. Amounts that telctl does not understand are omitted. */
export interface ChargedItem {
  readonly category: string;
  readonly item: string;
  /** Quantity that the change adds. */
  readonly added?: string;
  /** Quantity after the change. */
  readonly inAll: string;
  readonly rate: string;
  readonly dueNow?: string;
  /** Amount that each future bill increases by. */
  readonly recurring?: string;
}

/** Charges that a change would add, for a program that decides on them. */
export interface AskedCharges {
  readonly account: string;
  readonly text: string;
  readonly items: readonly ChargedItem[];
  /** Total due now and with each bill. Omitted if telctl does not understand an item. */
  readonly estimate?: string;
}

/** Consent to charges that is given in advance. */
export type Consent =
  | { readonly kind: 'all' }
  | { readonly kind: 'up-to'; readonly budget: Decimal }
  | { readonly kind: 'ask' }
  /** The user has already seen and accepted charges. Other charges still require a question. */
  | {
      readonly kind: 'shown';
      /**
       * Deducts charges from the accepted ones and returns a function that restores them. Returns `undefined` if they
       * are not covered.
       */
      readonly covers: (charges: AskedCharges) => (() => void) | undefined;
    }
  /** A program decides when the charges are known. */
  | { readonly kind: 'decide'; readonly decide: (charges: AskedCharges) => Promise<boolean> };

/** Global options that are not profile settings. */
export interface RunOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly reveal: boolean;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  /** Fields of the result that the query refers to. */
  readonly queryFields: readonly string[];
  /** Longest duration of the whole command, in milliseconds. */
  readonly deadlineMs: number | undefined;
  readonly allowUnknownFields: boolean;
  /** The user accepts changes that intercept or block emergency calls. */
  readonly allowEmergencyShadow: boolean;
  readonly consent: Consent;
  /** Name that answers a question that requires typing a name. */
  readonly confirm: string | undefined;
}

/**
 * Asks people. Every question has an option that answers it. If no terminal is available, the question fails with
 * `usage`.
 */
export interface Prompter {
  /** True if questions are possible. */
  readonly available: boolean;
  /** Asks yes or no. `--yes` answers yes. `otherwise` names the option for the error. */
  confirm(question: Lines, otherwise: { readonly option: string }): Promise<boolean>;
  /** Asks yes or no about money or other things that `--yes` never answers. The default is no. */
  confirmExplicitly(question: Lines): Promise<boolean>;
  /** Asks for a secret without echo. */
  secret(question: Lines, otherwise: { readonly option: string }): Promise<string>;
  text(question: Lines, otherwise: { readonly option: string; readonly initial?: string }): Promise<string>;
  /** Asks the user to type an exact word. Returns false for any other answer. */
  typed(question: Lines, word: string, otherwise: { readonly option: string }): Promise<boolean>;
}

/** A table for a question. It may contain text from the service; each text stays in its column. */
export interface NoticeTable {
  /** Headings, with a short form for narrow terminals. Numbers are right-aligned and never cut. */
  readonly columns: readonly {
    readonly head: string;
    readonly short?: string;
    readonly isNumber?: boolean;
  }[];
  readonly rows: readonly (readonly string[])[];
}

/** A message to show next to a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Omitted if the message is not about a file. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/** Prints lines for people on stderr. Escapes text from the service. */
export interface Notices {
  /** Prints lines. `--quiet` suppresses them. */
  say(said: Lines): void;
  /** Prints lines as a warning, even with `--quiet`. */
  warn(said: Lines): void;
  /** Prints a warning about a field before other output. Dropped if the service refuses the field itself. */
  warnAboutField(field: string, said: Lines): void;
  /** Prints the report that a question refers to. `--quiet` does not suppress it. */
  report(lines: readonly ReportLine[]): Promise<void>;
  /**
   * Writes an annotation for the CI runner of this job. Without a runner, writes it only if `always`, in the format of
   * GitHub.
   */
  writeAnnotation(found: Annotation, always: boolean): void;
  /** Receives findings in files, if the command annotates them. */
  readonly annotate?: (found: Annotation) => void;
  /** Prints a table that a question refers to. `--quiet` does not suppress it. */
  table(table: NoticeTable): void;
  /**
   * Call it before showing secrets, so that a CI runner masks them, and before requests that create secrets. `said`:
   * the secrets are shown on stderr. Throws `Failure` (`refused`) if a runner cannot mask them and they do not go to a
   * file.
   */
  disclose(secrets: Iterable<string>, options?: { readonly said: true }): void;
  /** Shows progress of bulk work. Does nothing without a terminal. */
  progress(done: number, total: number, what: string): void;
  /** Prints the held lines, and stops holding lines. */
  release(): void;
}

/** Limits on another command line that a handler runs. */
export interface LineLimits {
  /** Returns the failure of a forbidden request. */
  readonly forbids: ApiParts['forbids'];
  /** Asks a person to approve the values of a request. Throws `Failure` if the answer is no. */
  readonly approve?: ApiParts['approve'];
  /** Includes notices in the JSON error. */
  readonly keepsNotices?: boolean;
  /** Consent to charges that replaces the one on the line. */
  readonly consent?: Consent | undefined;
}

/** Runs another telctl command line and returns its exit code. */
export type RunLine = (argv: readonly string[], host: Host, limits: LineLimits) => Promise<number>;

/** The parts of a context, or of a library client, that resolve names of accounts and records. */
export interface NamingContext {
  readonly settings: { readonly account: Pick<Settings['account'], 'value'> };
  session(): Promise<Pick<Session, 'profile'>>;
  api(): Promise<Api>;
  accountId(): Promise<string>;
}

/** What a handler works with. Each member is created on first use. */
export interface Context {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly ask: Prompter;
  readonly notices: Notices;
  state(): Promise<State>;
  facts(): Promise<RunFacts>;
  /** Keeps texts from the environment or from files out of the log. */
  hide(texts: Iterable<string>): void;
  /** Returns the parts for commands that sign in or out themselves. */
  sessionParts(): SessionParts;
  /** The current session. Throws `Failure` of kind `auth` if the user is not signed in. */
  session(): Promise<Session>;
  /** The client of the chosen account. */
  api(): Promise<Api>;
  /** The client of the signed-in account, even if another account is chosen. */
  ownApi(): Promise<Api>;
  /**
   * The client for many changes: Ctrl-C starts no new request and lets running ones finish. `account` is asked to
   * accept charges. `recorded: false`: the caller writes the log. `consent` replaces the consent of the command line.
   */
  bulkApi(account?: string, options?: { readonly recorded: false; readonly consent?: Consent }): Promise<Api>;
  /** Separate `api` and `bulkApi` with their own caches, for one account of very many. */
  apart(): Pick<Context, 'api' | 'bulkApi'>;
  /** The client for cleanup at the end of a run: Ctrl-C does not stop it, and requests have a short timeout. */
  cleanupApi(): Promise<Api>;
  /**
   * Asks the questions that a request requires. Every request passes here once before it is sent. Commands call it
   * earlier, before their own questions. Throws `Failure` if the request is refused.
   */
  guard(request: GuardedRequest): Promise<void>;
  /** Runs another command line; `undefined` in the library. */
  readonly runLine?: RunLine | undefined;
  /** Id of the account: `--account` by id, name or realm, or the signed-in one. */
  accountId(): Promise<string>;
}
