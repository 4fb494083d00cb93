import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { decodeCell } from '../../../base/neutralise.ts';
import { describeIoError, refuseSpecialFile } from '../../../base/read-errors.ts';
import { formatCount } from '../../../base/wording.ts';
import { csvText } from '../../../engine/manifest/import-results.ts';
import { parseCsv } from '../../../engine/manifest/parse-csv.ts';
import type { Plan, Step } from '../../../engine/manifest/plan.ts';
import type { Context } from '../../command/context.ts';
import { randomPassword } from './secrets.ts';

/** Rows of a password file by `passwordKey`. The last cell is the password. */
export type PasswordRows = ReadonlyMap<string, readonly string[]>;

/** A file (0600) for generated passwords, and the option that names it. */
export interface PasswordsFile {
  readonly file: string;
  readonly option: string;
  /** Column titles. The last column is the password. */
  readonly head: readonly string[];
}

/** Returns the cells before the password in lower case, because services ignore the case of usernames. */
export const passwordKey = (cells: readonly string[]): string => cells.join('\n').toLowerCase();

/** Returns true for the file of a run that was killed before it stored a password. */
const isWithoutRow = (text: string, head: readonly string[]): boolean => csvText([head]).startsWith(text);

/** Reads the passwords of a resumed run. Otherwise throws `refused` if the file exists. */
export function readPasswords(
  { host }: Context,
  { file, option, head }: PasswordsFile,
  resumed: boolean,
): PasswordRows {
  const path = resolve(host.cwd, file);
  refuseSpecialFile(host, path, file, option);
  const text = host.files.readLargeText(path)?.text;
  if (text === undefined || isWithoutRow(text, head)) return new Map();
  if (!resumed || !text.startsWith(csvText([head])))
    throw new Failure('refused', `${file} already exists; telctl does not overwrite password files.`, {
      hint: `Name another file with ${option} FILE.`,
    });
  // The password of an incomplete row was never sent.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return new Map(
    parseCsv({ name: file, text: whole }, ',').rows.map((row) => {
      const cells = row.cells.map(decodeCell);
      return [passwordKey(cells.slice(0, -1)), cells];
    }),
  );
}

export function writePasswords(context: Context, to: PasswordsFile, rows: PasswordRows): void {
  try {
    rewritePasswords(context, to, rows);
  } catch (cause) {
    throw writeFailure(to, cause);
  }
}

const writeFailure = ({ file }: PasswordsFile, cause: unknown): Failure =>
  new Failure(
    'failed',
    `The passwords cannot be written to ${file} (${describeIoError(cause)}). Nothing was sent.`,
    { cause },
  );

/** Adds passwords to the file, and creates it first if needed. Throws `Failure` before the first request. */
async function addPasswords(
  { host }: Context,
  to: PasswordsFile,
  rows: readonly (readonly string[])[],
  isFirst: boolean,
): Promise<void> {
  try {
    const path = resolve(host.cwd, to.file);
    const text = isFirst ? host.files.readLargeText(path)?.text : undefined;
    if (text !== undefined && isWithoutRow(text, to.head)) host.files.remove(path);
    const growing = host.files.openAppendOnly(path, { again: !isFirst });
    try {
      growing.add(csvText(isFirst ? [to.head, ...rows] : rows));
      await growing.flush();
    } finally {
      growing.close();
    }
  } catch (cause) {
    throw writeFailure(to, cause);
  }
}

export const rewritePasswords = (
  { host }: Context,
  { file, head }: PasswordsFile,
  rows: PasswordRows,
): void => host.files.writePrivate(resolve(host.cwd, file), csvText([head, ...rows.values()]));

/** Columns of a file of generated passwords, and the kinds of objects in it. */
export interface PasswordColumns extends Omit<PasswordsFile, 'file'> {
  readonly kinds: readonly string[];
  cells(object: {
    readonly account: string;
    readonly key: string;
    readonly username: string;
  }): readonly string[];
}

const manifestColumns: PasswordColumns = {
  option: '--generate-passwords',
  head: ['account', 'object', 'username', 'password'],
  kinds: ['users', 'devices'],
  cells: ({ account, key, username }) => [account, key, username],
};

interface PasswordFields {
  readonly password: string;
  readonly username: string;
  readonly needs: (record: JsonObject) => boolean;
}

/** Services generate no password for either kind (Conventions, Devices). */
const signInFields: Readonly<Record<string, PasswordFields>> = {
  users: { password: 'password', username: 'username', needs: () => true },
  devices: {
    password: 'sip.password',
    username: 'sip.username',
    needs: ({ sip }) =>
      isObject(sip) && typeof sip.username === 'string' && (sip.method ?? 'password') === 'password',
  },
};

function missingPassword({ kind, by, send }: Step): PasswordFields | undefined {
  const fields = by === 'create' && send !== undefined ? signInFields[kind] : undefined;
  return fields && send && fields.needs(send) && typeof valueAt(send, fields.password) !== 'string'
    ? fields
    : undefined;
}

function withPassword(step: Step, password: string): Step {
  const [first = '', inner] = signInFields[step.kind]?.password.split('.') ?? [];
  const { [first]: before } = step.send ?? {};
  const value = inner === undefined ? password : { ...(isObject(before) ? before : {}), [inner]: password };
  return { ...step, send: { ...step.send, [first]: value } };
}

/** Creates the passwords of a run if a file is named. Throws like `readPasswords`. */
export const openGeneratedPasswords = (
  context: Context,
  file: string | undefined,
  resumed: boolean,
  columns: PasswordColumns = manifestColumns,
): GeneratedPasswords | undefined =>
  file === undefined ? undefined : new GeneratedPasswords(context, { ...columns, file }, resumed);

/** Passwords of new users and devices, in a private file. A resumed run uses the passwords in its file. */
export class GeneratedPasswords {
  readonly #context: Context;
  readonly #target: PasswordColumns & PasswordsFile;
  readonly #rows: Map<string, readonly string[]>;
  /** An existing file may end with an incomplete row, so it is rewritten before rows are added. */
  #file: 'missing' | 'existing' | 'open';

  constructor(context: Context, target: PasswordColumns & PasswordsFile, resumed: boolean) {
    this.#context = context;
    this.#target = target;
    this.#rows = new Map(readPasswords(context, target, resumed));
    this.#file = this.#rows.size > 0 ? 'existing' : 'missing';
  }

  /** The file has passwords of an earlier run, which this run resumes. */
  get hasEarlier(): boolean {
    return this.#file === 'existing';
  }

  /** Writes the passwords of all plans to the file. Throws `Failure` before the first request if that fails. */
  async prepare(plans: readonly Plan[], account?: string): Promise<void> {
    const fresh = new Map<string, readonly string[]>();
    for (const plan of plans)
      for (const step of plan.steps) {
        const cells = this.#cells(plan, step, account);
        if (cells && !this.#rows.has(passwordKey(cells)))
          fresh.set(passwordKey(cells), [...cells, randomPassword(this.#context.host.random)]);
      }
    if (fresh.size === 0) return;
    const before = this.#file;
    for (const [key, row] of fresh) this.#rows.set(key, row);
    // Another account of the same run may add its passwords before this file is written.
    this.#file = 'open';
    try {
      if (before === 'existing') writePasswords(this.#context, this.#target, this.#rows);
      else await addPasswords(this.#context, this.#target, [...fresh.values()], before === 'missing');
    } catch (error) {
      for (const key of fresh.keys()) this.#rows.delete(key);
      this.#file = before;
      throw error;
    }
  }

  amend(plan: Plan, account?: string): Plan {
    return {
      ...plan,
      steps: plan.steps.map((step) => {
        const cells = this.#cells(plan, step, account);
        if (cells === undefined) return step;
        const password = this.#rows.get(passwordKey(cells))?.at(-1);
        if (password !== undefined) return withPassword(step, password);
        throw new Failure(
          'conflict',
          `${step.label} was not in the plan, and has no password. Nothing more was sent.`,
        );
      }),
    };
  }

  /** Removes rows from the file. `isGone` receives the cells of a row. Throws if the file cannot be written. */
  remove(isGone: (cells: readonly string[]) => boolean): void {
    const kept = new Map([...this.#rows].filter(([, cells]) => !isGone(cells)));
    if (kept.size < this.#rows.size) rewritePasswords(this.#context, this.#target, kept);
  }

  report(): void {
    const [{ size }, { file }] = [this.#rows, this.#target];
    this.#context.notices.say(
      size === 0
        ? `All new users and devices have a password; ${file} was not written.`
        : `${formatCount(size, 'password')} ${size === 1 ? 'is' : 'are'} in ${file}.`,
    );
  }

  #cells(plan: Plan, step: Step, account = plan.account.name): readonly string[] | undefined {
    const { kinds, cells } = this.#target;
    const fields = kinds.includes(step.kind) ? missingPassword(step) : undefined;
    if (fields === undefined) return undefined;
    return cells({
      account,
      key: step.key,
      username: textOrUndefined(valueAt(step.send, fields.username)) ?? step.name,
    });
  }
}

/** For checks of the requests before passwords are generated. */
export const withPlaceholderPasswords = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => (missingPassword(step) ? withPassword(step, 'generated') : step)),
});
