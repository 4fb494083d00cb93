import { Failure, withFacts } from '../base/failure.ts';
import { type OutsideValues, replaceOutsideValues } from '../base/outside-values.ts';
import { toLines } from '../base/wording.ts';
import type { HoldingNotices } from '../cli/terminal/notices.ts';
import { gatedFailure } from '../cli/terminal/outside-gate.ts';
import type { ApiParts } from '../client/api/api.ts';
import type { EnvironmentIdentity } from '../client/session/environment-session.ts';
import { type Does, doesWords, requestEffects } from '../contract/capabilities.ts';
import type { ClientSettings, SignIn } from './client-types.ts';

/** Converts `--take-over` to `takeOver: true`, and `--set-name "night"` to `setName: "night"`. */
function toLibraryOption(word: string, value: string | undefined): string {
  const name = word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${name}: ${value === undefined ? 'true' : JSON.stringify(value.replaceAll(/^["']|["']$/g, ''))}`;
}

/** Converts options in a sentence. Command lines to copy are unchanged. */
const toOptionText = (text: string): string =>
  /\btelctl [a-z]/.test(text)
    ? text
    : text.replaceAll(
        /--([a-z][a-z-]+)(?: ("[^"]*"|(?!and |or |or$|if )[\w@+.-]*\w))?/g,
        (_, word: string, value: string | undefined) => toLibraryOption(word, value),
      );

/** Replaces questions of the command line with options of the library. */
export function toProgramFailure(error: Failure): Failure {
  const { kind, open, hint, lines, message } = error;
  if (kind === 'charges' && open)
    return withFacts(error, { hint: 'Return true from onCharges to accept them.', open: undefined });
  const name = open?.flags
    .map((flag) => /^--confirm (.*)$/.exec(flag)?.[1])
    .find((each) => each !== undefined);
  if (name !== undefined && kind === 'usage')
    return withFacts(error, {
      kind: 'refused',
      lines: `This call needs a confirmation: ${open?.question.replace(/:$/, '.')} No request was sent.`,
      hint: `Give ${toLibraryOption('confirm', name)}.`,
      open: undefined,
    });
  if (/ --protect none$/.test(hint ?? ''))
    return withFacts(error, {
      lines: message.replace(/ is read-only;/, ' is read-only for this program;'),
      hint: 'If the profile asks before changes, set allowProtected: true.',
    });
  const [first = '', ...rest] = lines.map(toOptionText);
  return withFacts(error, {
    lines: [first, ...rest],
    ...(hint === undefined ? {} : { hint: toOptionText(hint) }),
    open: undefined,
  });
}

/** Runs `work` and rewords its failures for programs. Replaces values from `outside` with their sources. */
export async function runForProgram<T>(
  work: () => Promise<T>,
  outside: OutsideValues = new Map(),
): Promise<T> {
  try {
    return replaceOutsideValues(await work(), outside);
  } catch (error) {
    throw error instanceof Failure ? gatedFailure(toProgramFailure(error), outside) : error;
  }
}

/**
 * Returns a function that refuses requests with effects that the program does not allow. The contract declares the
 * effects.
 */
export function createRequestFilter({ readOnly, allow }: ClientSettings): ApiParts['forbids'] {
  if (!readOnly && allow === undefined) return undefined;
  const allowed: ReadonlySet<Does> = new Set(allow ?? doesWords);
  return ({ operation, body, effect }) => {
    const name = operation?.id ?? 'a request that the contract does not know';
    if (readOnly && effect !== 'read')
      return new Failure('refused', `This client is read-only, so ${name} was not sent.`, {
        hint: 'Remove readOnly to allow changes.',
      });
    const does = new Set(operation && requestEffects(operation, body?.envelope.data));
    // Changes that cannot be undone count as deletes.
    if (effect === 'destructive') does.add('deletes');
    const more = [...does].filter((word) => !allowed.has(word));
    return more.length === 0
      ? undefined
      : new Failure(
          'refused',
          `This client does not allow the effects of ${name} (${more.join(', ')}). No request was sent.`,
          { hint: `To allow them, add to allow: ${more.join(', ')}.` },
        );
  };
}

/** Throws `usage` unless exactly one set of credentials is given. */
export function toIdentity(options: SignIn): EnvironmentIdentity {
  const ways = (['apiKey', 'token', 'username'] as const).filter((name) => name in options);
  if (ways.length !== 1)
    throw new Failure('usage', 'Give one of apiKey, token, and username with password.', {
      hint: 'To use a profile, import connect from telctl/profile.',
    });
  if ('token' in options) return { kind: 'token', token: options.token, from: 'token' };
  if ('apiKey' in options) {
    const credentials = { kind: 'api-key', apiKey: options.apiKey } as const;
    return { kind: 'credentials', credentials, from: 'apiKey' };
  }
  const { username, password } = options;
  const identifier =
    'accountName' in options
      ? ({ kind: 'account_name', value: options.accountName } as const)
      : 'accountRealm' in options
        ? ({ kind: 'account_realm', value: options.accountRealm } as const)
        : ({ kind: 'phone_number', value: options.phoneNumber } as const);
  const credentials = { kind: 'password', username, password, identifier, hash: 'md5' } as const;
  return { kind: 'credentials', credentials, from: 'password' };
}

export interface Listener {
  /** Called with warnings. */
  onWarning?(text: string): void;
  /** Called with the progress of the work. */
  onProgress?(progress: { readonly done: number; readonly total: number; readonly what: string }): void;
}

/** Sends notifications only to the callbacks of the program. */
export function createNotices({ onWarning, onProgress }: Listener): HoldingNotices {
  const ignore = (): void => undefined;
  return {
    say: ignore,
    warn: (said) => onWarning?.(toLines(said).join(' ')),
    warnAboutField: (_, said) => onWarning?.(toLines(said).join(' ')),
    printFieldWarnings: ignore,
    report: async () => undefined,
    table: () => undefined,
    disclose: ignore,
    writeAnnotation: ignore,
    progress: (done, total, what) => onProgress?.({ done, total, what }),
    release: ignore,
    clear: ignore,
    hold: ignore,
    waiting: ignore,
    takeHeld: () => ({ said: [], warnings: [] }),
  };
}
