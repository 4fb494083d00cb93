import { isObject } from './json.ts';
import { type Lines, shellWord, toLines } from './wording.ts';

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

/** Name, pattern (the first match counts), and requirements of each kind of suggested command. */
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

/** A suggested command. It works as printed if its requirements are met. */
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

const optionPattern = /^(?:-[a-z]|--[a-z][a-z-]*)$/i;

/**
 * Creates a suggested command from the words after `telctl`, quoted for the shell. Lists add zero or more words.
 * Arguments that start with a dash are moved to the end, after `--`, because elsewhere they would be read as options.
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

export interface Hint {
  readonly text: string;
  readonly next: readonly NextStep[];
}

export function createHint(texts: TemplateStringsArray, ...values: readonly HintSource[]): Hint {
  const next = values.flatMap((value) => (typeof value === 'string' ? [] : toHint(value).next));
  const words = values.map((value) => (typeof value === 'string' ? value : toHint(value).text));
  return { text: String.raw({ raw: texts }, ...words), next };
}

export type HintSource = string | NextStep | Hint;

const toHint = (given: HintSource): Hint =>
  typeof given === 'string'
    ? { text: given, next: [] }
    : 'line' in given
      ? { text: given.line, next: [given] }
      : given;

/** A question that could not be asked, for the `action_required` of the error. */
export interface OpenQuestion {
  readonly question: string;
  /** Options or variables that answer it, the most common first: `--yes`, `--account-name NAME`. */
  readonly flags: readonly string[];
  /** Command to continue with, if it is not the same command: `telctl apply --resume`. */
  readonly line?: string;
}

/** Text from the service is not yet escaped. */
export interface FailureFacts {
  readonly hint?: HintSource | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** Structured details for scripts. Must not contain secrets. */
  readonly details?: unknown;
  readonly cause?: unknown;
  /** Earlier warnings. People have already seen them, and scripts get them with the error. */
  readonly warnings?: readonly string[] | undefined;
  /** The message as one sentence for scripts, if it has several lines for people. */
  readonly sentence?: string | undefined;
  /** Charges that were accepted with a request whose response was lost. */
  readonly accepted?: string | undefined;
  /** True if the request may have been carried out despite the failure. */
  readonly inDoubt?: boolean | undefined;
  readonly open?: OpenQuestion | undefined;
}

/** The only error that telctl throws on purpose. Any other error that reaches the top level is reported as a bug. */
export class Failure extends Error {
  readonly kind: FailureKind;
  /** The lines for people. `message` is the same text in one line. */
  readonly lines: readonly string[];
  readonly hint: string | undefined;
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
   * True if the call can be sent again: the service was unreachable, rate-limited or broken, and the request was
   * certainly not carried out or is safe to repeat.
   */
  get retryable(): boolean {
    const { kind, status = 0, inDoubt } = this;
    return !inDoubt && (kind === 'unavailable' || (kind === 'failed' && (status === 429 || status >= 500)));
  }

  constructor(kind: FailureKind, said: Lines, facts: FailureFacts = {}) {
    super(toLines(said).join(' '), { cause: facts.cause });
    this.name = 'Failure';
    this.kind = kind;
    this.lines = toLines(said);
    const hint = facts.hint === undefined ? undefined : toHint(facts.hint);
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

/** Marks failures, because entry points of the package are bundled separately and have different classes. */
const mark = Symbol.for('telctl.failure');
Object.defineProperty(Failure.prototype, mark, { value: true });
Object.defineProperty(Failure, Symbol.hasInstance, {
  value: (one: unknown) => typeof one === 'object' && one !== null && mark in one,
});

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

const ignoreFailureIf =
  (isPassedOver: (failure: Failure) => boolean) =>
  <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (error instanceof Failure && isPassedOver(error)) return undefined;
      throw error;
    });

/** Returns the result of a read, or `undefined` if the record does not exist. Rethrows other failures. */
export const ignoreMissing = ignoreFailureIf(({ kind }) => kind === 'not_found');

/** Returns the result of a read, or `undefined` if the record does not exist or this user cannot see it. */
export const ignoreUnreadable = ignoreFailureIf(({ kind, status }) => kind === 'not_found' || status === 403);

/**
 * Returns the result of work, or `undefined` if it failed. Rethrows errors that are not a `Failure`, and interrupts.
 */
export const ignoreFailure = ignoreFailureIf(({ kind }) => kind !== 'interrupted');

/** Marks a change as not made, after a check has shown it. */
export const clearDoubt = (failure: Failure): Failure =>
  withFacts(failure, {
    hint: 'telctl checked that the request was not carried out. You can send it again.',
    inDoubt: false,
  });

export const withHint = (failure: Failure, hint: HintSource): Failure => withFacts(failure, { hint });

/**
 * Returns the failure for a response that contains another record than the requested one. If the request was a
 * change, it may have been carried out.
 */
export function wrongRecordFailure(
  singular: string,
  { asked, answered }: { readonly asked: string; readonly answered: string },
  { isRead, ...facts }: FailureFacts & { readonly isRead: boolean },
): Failure {
  return new Failure(
    'failed',
    `telctl asked for ${singular} ${JSON.stringify(asked)}, but the service returned ${singular} ${JSON.stringify(answered)}.`,
    {
      ...facts,
      details: { asked, answered },
      hint: isRead
        ? 'Repeat the command. If it fails again, look for a cache or proxy between telctl and the service.'
        : 'The change may have been made to either record. Check both before you repeat it.',
    },
  );
}

/**
 * Returns true if the response contains another record than requested. Either record may have changed, so a later
 * read cannot prove success.
 */
export const isWrongRecord = ({ kind, details }: Failure): boolean =>
  kind === 'failed' && isObject(details) && 'asked' in details && 'answered' in details;

/** Returns true if the service may have carried out a request that got no valid response. Only a read can show it. */
export function isLost(failure: Failure): boolean {
  const { kind, status = 200 } = failure;
  if (isWrongRecord(failure)) return false;
  if (kind === 'unavailable') return status !== 429;
  return kind === 'failed' && (status < 300 || status >= 500);
}

/** Returns true if Ctrl-C or SIGTERM ended a wait. A command that runs until then exits successfully. */
export const isInterruption = (
  { interrupted }: { readonly interrupted: AbortSignal },
  error: unknown,
): boolean => interrupted.aborted && error instanceof Failure && error.kind === 'interrupted';
