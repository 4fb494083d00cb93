import { resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { fromCell } from '../../base/neutralise.ts';
import { refuseUnplain, troubleWith } from '../../base/reading.ts';
import { csvText } from '../../engine/manifest/import-results.ts';
import { parseCsv } from '../../engine/manifest/parse-csv.ts';
import type { Context } from '../command/context.ts';

/** Rows of a file of passwords by `passwordKey`; the last cell is the password. */
export type PasswordRows = ReadonlyMap<string, readonly string[]>;

/** A file (0600) that generated passwords are written to, and the option that names it. */
export interface PasswordsFile {
  readonly file: string;
  readonly option: string;
  /** Titles of its columns; the last is that of the password. */
  readonly head: readonly string[];
}

/** The cells before the password, in lower case, as services compare usernames. */
export const passwordKey = (cells: readonly string[]): string => cells.join('\n').toLowerCase();

/**
 * Reads the passwords that a run wrote before, where that run is resumed. Throws `Failure` of kind `refused` where there
 * is a file and none is resumed: passwords are written over nothing.
 */
export function earlierPasswords(
  { host }: Context,
  { file, option, head }: PasswordsFile,
  resumed: boolean,
): PasswordRows {
  const path = resolve(host.cwd, file);
  refuseUnplain(host, path, file, option);
  const text = host.files.readKept(path)?.text;
  if (text === undefined) return new Map();
  if (!resumed || !text.startsWith(csvText([head])))
    throw new Failure('refused', `There is a file ${file} already, and passwords are not written over it.`, {
      hint: `Name another file with ${option} FILE.`,
    });
  // A row that was cut off was never sent.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return new Map(
    parseCsv(whole, ',').rows.map((row) => {
      const cells = row.cells.map(fromCell);
      return [passwordKey(cells.slice(0, -1)), cells];
    }),
  );
}

/** Writes passwords to their file. Throws `Failure` where it cannot be written: before anything is sent. */
export function writePasswords(context: Context, to: PasswordsFile, rows: PasswordRows): void {
  try {
    rewritePasswords(context, to, rows);
  } catch (cause) {
    throw unwritten(to, cause);
  }
}

const unwritten = ({ file }: PasswordsFile, cause: unknown): Failure =>
  new Failure(
    'failed',
    `The passwords cannot be written to ${file} (${troubleWith(cause)}). Nothing was sent.`,
    { cause },
  );

/** Adds passwords to their file, and makes it with the first. Throws `Failure` before anything is sent. */
export async function addPasswords(
  { host }: Context,
  to: PasswordsFile,
  rows: readonly (readonly string[])[],
  isFirst: boolean,
): Promise<void> {
  try {
    const growing = host.files.growPrivate(resolve(host.cwd, to.file), { again: !isFirst });
    try {
      growing.add(csvText(isFirst ? [to.head, ...rows] : rows));
      await growing.flush();
    } finally {
      growing.close();
    }
  } catch (cause) {
    throw unwritten(to, cause);
  }
}

/** Writes them once more; what goes wrong is thrown as it is. */
export const rewritePasswords = (
  { host }: Context,
  { file, head }: PasswordsFile,
  rows: PasswordRows,
): void => host.files.writePrivate(resolve(host.cwd, file), csvText([head, ...rows.values()]));
