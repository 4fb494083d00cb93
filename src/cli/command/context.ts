import type { Decimal } from '../../base/decimal.ts';
import type { Host } from '../../base/host/host.ts';
import type { Lines } from '../../base/wording.ts';
import type { Api, ApiParts, GuardedRequest } from '../../client/api/api.ts';
import type { Session, SessionParts } from '../../client/session/session.ts';
import type { Settings } from '../../client/session/settings.ts';
import type { RunFacts } from '../../engine/state/log.ts';
import type { State } from '../../engine/state/state.ts';
import type { ReportLine } from './result.ts';

/** A charged item. Amounts are decimal numbers as text, and are omitted if telctl does not understand them. */
export interface ChargedItem {
  readonly category: string;
  readonly item: string;
  readonly added?: string;
  readonly inAll: string;
  readonly rate: string;
  readonly dueNow?: string;
  /** Amount added to each future bill. */
  readonly recurring?: string;
}

/** Charges that a change would add, for a program that decides on them. */
export interface AskedCharges {
  readonly account: string;
  readonly text: string;
  readonly items: readonly ChargedItem[];
  /** Total due now and with each bill. Omitted if the amount of an item is unknown. */
  readonly estimate?: string;
}

export type Consent =
  | { readonly kind: 'all' }
  | { readonly kind: 'up-to'; readonly budget: Decimal }
  | { readonly kind: 'ask' }
  /** The user has already seen and accepted these charges. Other charges still require a question. */
  | {
      readonly kind: 'shown';
      /** Deducts charges from the accepted ones, and returns a function that restores them. */
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
  readonly queryFields: readonly string[];
  readonly deadlineMs: number | undefined;
  readonly allowUnknownFields: boolean;
  /** The user accepts changes that intercept or block emergency calls. */
  readonly allowEmergencyShadow: boolean;
  readonly consent: Consent;
  /** Answer to a question that requires typing a name. */
  readonly confirm: string | undefined;
}

/** Asks people. Every question has an option that answers it. Without a terminal, questions fail with `usage`. */
export interface Prompter {
  readonly available: boolean;
  /** Asks yes or no. `--yes` answers yes. The error without a terminal suggests `otherwise.option`. */
  confirm(question: Lines, otherwise: { readonly option: string }): Promise<boolean>;
  /** Asks about money and other things that `--yes` never answers. The default is no. */
  confirmExplicitly(question: Lines): Promise<boolean>;
  secret(question: Lines, otherwise: { readonly option: string }): Promise<string>;
  text(question: Lines, otherwise: { readonly option: string; readonly initial?: string }): Promise<string>;
  /** Asks the user to type an exact word. Returns false for any other answer. */
  typed(question: Lines, word: string, otherwise: { readonly option: string }): Promise<boolean>;
}

/** A table for a question. It may contain text from the service; each text stays in its column. */
export interface NoticeTable {
  /** Headings, with a short form for narrow terminals. Columns of numbers are right-aligned and never cut. */
  readonly columns: readonly {
    readonly head: string;
    readonly short?: string;
    readonly isNumber?: boolean;
  }[];
  readonly rows: readonly (readonly string[])[];
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

export interface Notices {
  say(said: Lines): void;
  warn(said: Lines): void;
  /** Prints a warning about a field. The warning is dropped if the service refuses the field. */
  warnAboutField(field: string, said: Lines): void;
  report(lines: readonly ReportLine[]): Promise<void>;
  /** Writes an annotation for the CI runner. Without a runner, writes only if `always`, like GitHub. */
  writeAnnotation(found: Annotation, always: boolean): void;
  /** Set if the command annotates files with its findings. */
  readonly annotate?: (found: Annotation) => void;
  table(table: NoticeTable): void;
  /**
   * Call this before showing secrets, so that a CI runner masks them, and before requests that create secrets.
   * `said`: the secrets are shown on stderr. Throws `Failure` (`refused`) if the runner cannot mask secrets and they
   * do not go to a file.
   */
  disclose(secrets: Iterable<string>, options?: { readonly said: true }): void;
  /** Shows progress of bulk work. Has no effect without a terminal. */
  progress(done: number, total: number, what: string): void;
  release(): void;
}

export interface LineLimits {
  /** Returns the failure of a forbidden request. */
  readonly forbids: ApiParts['forbids'];
  /** Asks a person to approve the values of a request. Throws `Failure` if the answer is no. */
  readonly approve?: ApiParts['approve'];
  readonly keepsNotices?: boolean;
  readonly consent?: Consent | undefined;
}

/** Runs another telctl command line and returns its exit code. */
export type RunLine = (argv: readonly string[], host: Host, limits: LineLimits) => Promise<number>;

/** Parts of a context, or of a library client, that resolve names of accounts and records. */
export interface NamingContext {
  readonly settings: { readonly account: Pick<Settings['account'], 'value'> };
  session(): Promise<Pick<Session, 'profile'>>;
  api(): Promise<Api>;
  accountId(): Promise<string>;
}

/** The context of a command's handler. Each member is created on first use. */
export interface Context {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly ask: Prompter;
  readonly notices: Notices;
  state(): Promise<State>;
  facts(): Promise<RunFacts>;
  /** Removes texts from the environment or from files from the log. */
  hide(texts: Iterable<string>): void;
  sessionParts(): SessionParts;
  session(): Promise<Session>;
  api(): Promise<Api>;
  /** The client of the signed-in account, even if another account is chosen. */
  ownApi(): Promise<Api>;
  /**
   * The client for many changes: after Ctrl-C it starts no new request, but running requests finish. `account` is
   * asked to accept charges. `recorded: false`: the caller writes the log. `consent` replaces the consent of the
   * command line.
   */
  bulkApi(account?: string, options?: { readonly recorded: false; readonly consent?: Consent }): Promise<Api>;
  /** Returns `api` and `bulkApi` with separate caches, so that memory stays small with very many accounts. */
  separateClients(): Pick<Context, 'api' | 'bulkApi'>;
  /** The client for cleanup at the end of a run: Ctrl-C does not stop it, and requests have a short timeout. */
  cleanupApi(): Promise<Api>;
  /** Asks the questions that a request requires, once per request. Throws `Failure` if it is refused. */
  guard(request: GuardedRequest): Promise<void>;
  readonly runLine?: RunLine | undefined;
  /** Id of the chosen account (`--account` by id, name or realm), or of the signed-in one. */
  accountId(): Promise<string>;
}
