import { isObject } from './json.ts';
import { type Lines, linesOf, shellWord } from './wording.ts';

/** Every way a run can end other than well, with its exit code: nothing else decides one. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  differences: 3,
  auth: 4,
  not_found: 5,
  conflict: 6,
  charges: 7,
  partial: 8,
  refused: 9,
  invalid: 10,
  unavailable: 75,
  interrupted: 130,
} as const;

export type FailureKind = keyof typeof exitCodes;

/** Kinds of lines that telctl proposes: how they begin, the first that fits, and what they need in order to work. */
export const nextKinds = [
  ['go on', /^(?:apply --resume|rollout resume|users import)/, 'a run that was cut off, where it was begun'],
  ['take back', /^(?:undo|rollout (?:undo|cancel))\b/, 'a run that the log of this machine or state has'],
  ['sign in', /^(?:login|sso link)\b/, 'a password, an API key or a provider'],
  ['allow', /^(?:profiles (?:set|use)|state trust|mcp)\b/, 'a person who may decide it'],
  ['try here', /^sandbox\b/, 'this machine'],
  ['carry out', /^(?:apply|rollout (?:start|worker))(?! history)\b/, 'a manifest, or a plan that was kept'],
  ['write down', /^(?:plan .*--out|export|adopt|test init|schema)\b/, 'a manifest, or an account'],
  ['receive', /^(?:webhooks listen|watch|console)\b/, 'an address that this machine or the service reaches'],
  [
    'change',
    /^\S+ (?:messages )?(?:create|copy|patch|edit|delete|set|activate|enable|restore|reset|revoke-all|password|offboard|forget|start)\b/,
    'the record',
  ],
  ['look', /^/, 'nothing'],
] as const;

/** A line that telctl proposes: it works as it is typed where there is what it needs. */
export class NextStep {
  readonly kind: string;
  readonly line: string;
  readonly needs: string;

  constructor(words: string) {
    this.line = `telctl ${words}`;
    const [kind, , needs] = nextKinds.find(([, begins]) => begins.test(words)) ?? ['look', /^/, 'nothing'];
    this.kind = kind;
    this.needs = needs;
  }

  toString(): string {
    return this.line;
  }
}

type Value = string | number | readonly string[];

/** Matches an option as it is typed: `-f`, `--account`. */
const optionPattern = /^(?:-[a-z]|--[a-z][a-z-]*)$/i;

/**
 * A next step from the words after `telctl`, quoted for the shell. A list is several words, or none. An argument that
 * begins with a dash is moved to the end, after `--`, because it would be read as an option elsewhere.
 */
export function nextStep(texts: TemplateStringsArray, ...values: readonly Value[]): NextStep {
  const afterEnd: string[] = [];
  const line = texts.reduce((begun, text, index) => {
    const words = [values[index - 1] ?? []].flat().map(String);
    const kept = words.filter((word, at) => {
      const before = words[at - 1] ?? begun.trimEnd().split(' ').at(-1) ?? '';
      const isArgument = begun.endsWith(' ') && !optionPattern.test(before);
      if (!word.startsWith('-') || optionPattern.test(word) || !isArgument) return true;
      afterEnd.push(shellWord(word));
      return false;
    });
    return (kept.length === 0 ? begun.trimEnd() : begun + kept.map(shellWord).join(' ')) + text;
  });
  return new NextStep(afterEnd.length === 0 ? line : `${line.trimEnd()} -- ${afterEnd.join(' ')}`);
}

/** A next thing to do, in words, with the lines that it proposes. */
export interface Hint {
  readonly text: string;
  readonly next: readonly NextStep[];
}

/** A hint from a sentence and what is put into it. */
export function leadsOn(texts: TemplateStringsArray, ...values: readonly Lead[]): Hint {
  const next = values.flatMap((value) => (typeof value === 'string' ? [] : hintOf(value).next));
  const words = values.map((value) => (typeof value === 'string' ? value : hintOf(value).text));
  return { text: String.raw({ raw: texts }, ...words), next };
}

/** A hint as it may be given: words, a line, or both. */
export type Lead = string | NextStep | Hint;

/** The hint that somebody gave in whatever form. */
const hintOf = (given: Lead): Hint =>
  typeof given === 'string'
    ? { text: given, next: [] }
    : 'line' in given
      ? { text: given.line, next: [given] }
      : given;

/** A question that nobody could be asked, as the error says it to whoever may answer (`action_required`). */
export interface OpenQuestion {
  readonly question: string;
  /** Options or variables that answer it, each as it is typed, the usual one first: `--yes`, `--account-name NAME`. */
  readonly flags: readonly string[];
  /** Line that goes on from here, if it is not the same line again: `telctl apply --resume`. */
  readonly line?: string;
}

/** Further facts about a failure. Text that came from the service is still raw here. */
export interface FailureFacts {
  /** The next thing to do: a command or a short instruction. */
  readonly hint?: Lead | undefined;
  /** HTTP status, where the service answered. */
  readonly status?: number | undefined;
  /** The service's own code word. */
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** Structured details for scripts; must not hold secrets. */
  readonly details?: unknown;
  readonly cause?: unknown;
  /** Earlier warnings; people have read them by then, scripts get them with the error. */
  readonly warnings?: readonly string[] | undefined;
  /** The message as one sentence, where it is laid out in lines for people; scripts get this one. */
  readonly sentence?: string | undefined;
  /** Charges that were accepted with the request whose reply was lost, as text. */
  readonly accepted?: string | undefined;
  /** True when the request may have been carried out all the same. */
  readonly inDoubt?: boolean | undefined;
  /** The question that an option answers. */
  readonly open?: OpenQuestion | undefined;
}

/** The one error that telctl throws on purpose. Anything else that reaches the edge is a bug and says so. */
export class Failure extends Error {
  readonly kind: FailureKind;
  /** The lines that people read. The `message` is the same in one line. */
  readonly lines: readonly string[];
  readonly hint: string | undefined;
  /** The lines that the hint proposes. */
  readonly next: readonly NextStep[];
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;
  readonly warnings: readonly string[] | undefined;
  readonly sentence: string | undefined;
  readonly accepted: string | undefined;
  readonly inDoubt: boolean;
  readonly open: OpenQuestion | undefined;

  /**
   * True when the same call can be sent again: the service was out of reach, at its limit or broken, and has certainly
   * not carried it out, or it is one that may be carried out twice.
   */
  get retryable(): boolean {
    const { kind, status = 0, inDoubt } = this;
    return !inDoubt && (kind === 'unavailable' || (kind === 'failed' && (status === 429 || status >= 500)));
  }

  constructor(kind: FailureKind, said: Lines, facts: FailureFacts = {}) {
    super(linesOf(said).join(' '), { cause: facts.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.lines = linesOf(said);
    const hint = facts.hint === undefined ? undefined : hintOf(facts.hint);
    this.hint = hint?.text;
    this.next = hint?.next ?? [];
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details;
    this.warnings = facts.warnings;
    this.sentence = facts.sentence;
    this.accepted = facts.accepted;
    this.inDoubt = facts.inDoubt ?? false;
    this.open = facts.open;
  }
}

/** Entries of the package are bundled apart: a failure of one is a `Failure` of another as well. */
const mark = Symbol.for('telctl.failure');
Object.defineProperty(Failure.prototype, mark, { value: true });
Object.defineProperty(Failure, Symbol.hasInstance, {
  value: (one: unknown) => typeof one === 'object' && one !== null && mark in one,
});

/** The same failure with other words, another kind, or more facts. */
export function withFacts(
  failure: Failure,
  {
    lines,
    kind = failure.kind,
    ...more
  }: FailureFacts & { readonly lines?: Lines; readonly kind?: FailureKind },
): Failure {
  const { status, code, requestId, details, warnings, accepted, inDoubt, open } = failure;
  const sentence = lines === undefined ? failure.sentence : undefined;
  const hint = failure.hint === undefined ? undefined : { text: failure.hint, next: failure.next };
  const facts = { hint, status, code, requestId, details, warnings, sentence, accepted, inDoubt, open };
  return new Failure(kind, lines ?? failure.lines, { ...facts, cause: failure, ...more });
}

const unless =
  (isPassedOver: (failure: Failure) => boolean) =>
  <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (error instanceof Failure && isPassedOver(error)) return undefined;
      throw error;
    });

/** The result of a read; `undefined` where the service does not have it. Passes every other failure on. */
export const unlessMissing = unless(({ kind }) => kind === 'not_found');

/** Returns the result of a read; `undefined` if the service does not have the record, or does not show it to this user. */
export const unlessUnreadable = unless(({ kind, status }) => kind === 'not_found' || status === 403);

/** The result of work; `undefined` where it failed. Passes on what is no failure, and Ctrl-C. */
export const unlessFailed = unless(({ kind }) => kind !== 'interrupted');

/** A failure that left a change in doubt, after a look at the service: the change was not made. */
export const foundUndone = (failure: Failure): Failure =>
  withFacts(failure, {
    hint: 'telctl checked: the request was not carried out, and can be sent again.',
    inDoubt: false,
  });

/** The same failure with another hint of what to do about it. */
export const withHint = (failure: Failure, hint: Lead): Failure => withFacts(failure, { hint });

/**
 * Returns the failure of a reply about another record than the one that was asked for, by id or name. A change that was
 * answered so may have been carried out.
 */
export function aboutOther(
  singular: string,
  { asked, answered }: { readonly asked: string; readonly answered: string },
  { isRead, ...facts }: FailureFacts & { readonly isRead: boolean },
): Failure {
  return new Failure(
    'failed',
    `Asked about ${singular} ${JSON.stringify(asked)}, the service answered about ${singular} ${JSON.stringify(answered)}.`,
    {
      ...facts,
      details: { asked, answered },
      hint: isRead
        ? 'Repeat the command. If it fails again, look for a cache or proxy between telctl and the service.'
        : 'The change may have been made to either record: check both before you repeat it.',
    },
  );
}

/**
 * True for the failure of a reply about another record. Whether a change with such a reply was made is unknown, and it
 * is never read back into a success.
 */
export const isAboutOther = ({ kind, details }: Failure): boolean =>
  kind === 'failed' && isObject(details) && 'asked' in details && 'answered' in details;

/** True for a change without a clear reply, which the service may have made: a look at the service can tell. */
export const isLost = (failure: Failure): boolean => failure.inDoubt && !isAboutOther(failure);

/** True for the failure of what waited when Ctrl-C or SIGTERM came: what goes on until then ends well with it. */
export const isStop = ({ interrupted }: { readonly interrupted: AbortSignal }, error: unknown): boolean =>
  interrupted.aborted && error instanceof Failure && error.kind === 'interrupted';
