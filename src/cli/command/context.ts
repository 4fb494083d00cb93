import type { Decimal } from '../../base/decimal.ts';
import type { Host } from '../../base/host/host.ts';
import type { Lines } from '../../base/wording.ts';
import type { Api, ApiParts, GuardedRequest } from '../../client/api/api.ts';
import type { Session, SessionParts } from '../../client/session/session.ts';
import type { Settings } from '../../client/session/settings.ts';
import type { RunFacts } from '../../engine/state/log.ts';
import type { State } from '../../engine/state/state.ts';
import type { ReportLine } from './result.ts';

/** One item that the service charges for. Amounts are decimal numbers as text; those not understood are left out. */
export interface ChargedItem {
  readonly category: string;
  readonly item: string;
  /** Quantity that the change adds. */
  readonly added?: string;
  /** Quantity after the change. */
  readonly inAll: string;
  readonly rate: string;
  readonly dueNow?: string;
  /** Amount by which each bill grows from now on. */
  readonly recurring?: string;
}

/** Charges that a change would add, for a program that decides on them. */
export interface AskedCharges {
  readonly account: string;
  readonly text: string;
  readonly items: readonly ChargedItem[];
  /** The amounts due now and with each bill, together; left out where an item is not understood. */
  readonly estimate?: string;
}

/** The answer given about charges before they are known. */
export type Consent =
  | { readonly kind: 'all' }
  | { readonly kind: 'up-to'; readonly budget: Decimal }
  | { readonly kind: 'ask' }
  /** Lines were shown and accepted beforehand; what they do not cover is asked about. */
  | {
      readonly kind: 'shown';
      /** Takes charges out of what was accepted, and returns what gives them back; `undefined` where it does not cover them. */
      readonly covers: (charges: AskedCharges) => (() => void) | undefined;
    }
  /** A program decides, once the charges are known. */
  | { readonly kind: 'decide'; readonly decide: (charges: AskedCharges) => Promise<boolean> };

/** Global options that are no settings of a profile. */
export interface RunOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly reveal: boolean;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  /** Fields of what the query is asked of that it names. */
  readonly queryFields: readonly string[];
  /** Greatest duration of the whole command, in milliseconds. */
  readonly deadlineMs: number | undefined;
  readonly allowUnknownFields: boolean;
  /** The user accepts changes that take or bar emergency calls. */
  readonly allowEmergencyShadow: boolean;
  readonly consent: Consent;
  /** Name that answers a question which takes a name. */
  readonly confirm: string | undefined;
}

/** Asks people. Every question has an option that answers it; where nobody can be asked, it fails with `usage`. */
export interface Prompter {
  /** True when a question can be asked at all. */
  readonly available: boolean;
  /** Yes or no; `--yes` answers yes. `otherwise` names the option to give: `--yes`. */
  confirm(question: Lines, otherwise: { readonly option: string }): Promise<boolean>;
  /** Yes or no about money or other things that `--yes` never answers; the default is no. */
  confirmExplicitly(question: Lines): Promise<boolean>;
  /** A secret, typed unseen. */
  secret(question: Lines, otherwise: { readonly option: string }): Promise<string>;
  text(question: Lines, otherwise: { readonly option: string; readonly initial?: string }): Promise<string>;
  /** The exact word must be typed. False when something else was. */
  typed(question: Lines, word: string, otherwise: { readonly option: string }): Promise<boolean>;
}

/** A table that a question is about. Text of the service may be in it; it stays within its column. */
export interface SaidTable {
  /** Headings, with the short one for narrow terminals. Numbers stand right and are never cut. */
  readonly columns: readonly {
    readonly head: string;
    readonly short?: string;
    readonly isNumber?: boolean;
  }[];
  readonly rows: readonly (readonly string[])[];
}

/** One thing that is to be seen beside a line of a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Left out for what stands in no file. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

/** Lines for people on stderr. Text from the service may be in them; it is made harmless here. */
export interface Notices {
  /** Left out with `--quiet`. */
  say(said: Lines): void;
  /** Always shown, marked as a warning. */
  warn(said: Lines): void;
  /** A warning about a field: shown before all else, and not where the service refuses that field itself. */
  doubt(field: string, said: Lines): void;
  /** A report that a question is about: shown whatever else is left out, and marked by colours. */
  report(lines: readonly ReportLine[]): Promise<void>;
  /** Writes an annotation for the runner of this job; without one nothing, or, `always`, what GitHub would take. */
  writeAnnotation(found: Annotation, always: boolean): void;
  /** Is told of what is found in files, where a command annotates them. */
  readonly annotate?: (found: Annotation) => void;
  /** A table that a question is about: shown whatever else is left out. */
  table(table: SaidTable): void;
  /**
   * Called before secrets are shown: a runner that reads this output hides them from then on. Called before anything is
   * sent that makes secrets, which may not be known yet. `said`: they are shown on stderr. Throws `Failure` (`refused`)
   * where a runner cannot hide them and they do not go to a file.
   */
  disclose(secrets: Iterable<string>, options?: { readonly said: true }): void;
  /** Progress of bulk work: shown at a terminal as it goes, elsewhere not at all. */
  progress(done: number, total: number, what: string): void;
  /** Lines that were kept back for an error alone on stderr are said, and from here on all are. */
  release(): void;
}

/** What another command line may do, whatever stands in it. */
export interface LineLimits {
  /** Gives the failure of a request that may not be sent. */
  readonly forbids: ApiParts['forbids'];
  /** Asks a person about the values of a request. Throws `Failure` if the answer is no. */
  readonly approve?: ApiParts['approve'];
  /** What telctl says is kept beside an error in JSON. */
  readonly keepsNotices?: boolean;
  /** The consent to charges, whatever the line says. */
  readonly consent?: Consent | undefined;
}

/** Runs another command line of telctl on a machine, as the program does, and gives its exit code. */
export type RunLine = (argv: readonly string[], host: Host, limits: LineLimits) => Promise<number>;

/** The parts of a context, or of a client in a program, by which accounts and records are named and found. */
export interface Naming {
  readonly settings: { readonly account: Pick<Settings['account'], 'value'> };
  session(): Promise<Pick<Session, 'profile'>>;
  api(): Promise<Api>;
  accountId(): Promise<string>;
}

/** The environment that a handler works with; each member comes into being on first use. */
export interface Context {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly ask: Prompter;
  readonly notices: Notices;
  state(): Promise<State>;
  facts(): Promise<RunFacts>;
  /** Keeps texts that came from the environment or from files out of the log. */
  hide(texts: Iterable<string>): void;
  /** Returns the parts needed to sign in, for commands that sign in or out by themselves. */
  sessionParts(): SessionParts;
  /** The signed-in (or environment) session; throws `Failure` of kind `auth` where there is none. */
  session(): Promise<Session>;
  /** The service, spoken to as the session. */
  api(): Promise<Api>;
  /** The same, spoken to in the account signed in to, whatever account was chosen. */
  ownApi(): Promise<Api>;
  /**
   * The same for a run of many changes: Ctrl-C begins nothing new and lets end what is under way. `account`
   * names the account that is asked for charges. `recorded: false`: the caller writes the log. `consent`:
   * another consent to charges than that of the command line.
   */
  bulkApi(account?: string, options?: { readonly recorded: false; readonly consent?: Consent }): Promise<Api>;
  /** Both with a memory of their own for the work on one of very many accounts. */
  apart(): Pick<Context, 'api' | 'bulkApi'>;
  /** The same for putting away what the run made: Ctrl-C does not end it, and no request takes long. */
  cleanupApi(): Promise<Api>;
  /**
   * Asks what must be asked before a request: every request passes here before it is sent, and is asked about once.
   * Commands ask earlier, before what they say and ask themselves. Throws `Failure` where it may not be sent.
   */
  guard(request: GuardedRequest): Promise<void>;
  /** Runs another command line; `undefined` where telctl is a library. */
  readonly runLine?: RunLine | undefined;
  /** Id of the account acted on: `--account` by id, name or realm, else the one signed in to. */
  accountId(): Promise<string>;
}
