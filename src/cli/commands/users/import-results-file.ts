import { resolve } from 'node:path';
import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import { refuseUnplain, troubleWith } from '../../../base/reading.ts';
import {
  isSettled,
  type RowResult,
  readResults,
  resultsHead,
  resultsText,
} from '../../../engine/manifest/import-results.ts';
import type { Context } from '../../command/context.ts';

export interface ResultsFile {
  /** As the user knows it; `undefined`: none is written. */
  readonly name: string | undefined;
  /** Tells whether an earlier run of so many rows left some undone. */
  isUnfinished(rows: number): boolean;
  /** Returns the results that an earlier run wrote. Throws `Failure` of kind `usage` if there is none. */
  before(): readonly RowResult[];
  /** Begins the file anew with rows that are settled. Throws `Failure` where it cannot be written. */
  begin(first: readonly RowResult[]): ResultsWriting;
}

/** A results file that is being written: a line for each row as it ends, so that nothing is lost. */
export interface ResultsWriting {
  add(result: RowResult): void;
  /** Writes all rows in their order, and gives them; what was done is told where that fails, too. */
  end(rest: readonly RowResult[]): {
    readonly all: readonly RowResult[];
    readonly trouble: Failure | undefined;
  };
  close(): void;
}

/** The file that `--results` names, or the one beside the imported file. Throws `Failure` where it is something else. */
export function resultsFile(
  { host, notices }: Context,
  { file, results }: { readonly file: string; readonly results: string | undefined },
): ResultsFile {
  const name =
    results ?? (file === '-' ? undefined : `${file.replace(/\.(?:csv|tsv|txt)$/i, '')}.results.csv`);
  const path = name === undefined ? undefined : resolve(host.cwd, name);
  if (path !== undefined && name !== undefined) refuseUnplain(host, path, name, '--results');
  const text = path === undefined || name === undefined ? undefined : keptText(path, name);
  const earlier = text === undefined ? undefined : readResults(text);
  if (text !== undefined && text !== '' && earlier === undefined)
    throw new Failure('refused', `${name} is not a results file of an import, and is not overwritten.`, {
      hint: 'Name another file with --results FILE.',
    });

  function keptText(at: string, shown: string): string | undefined {
    try {
      return host.files.readKept(at)?.text;
    } catch (error) {
      throw new Failure('usage', `${shown} cannot be read (${troubleWith(error)}).`, { cause: error });
    }
  }
  const unwritten = (error: unknown): string =>
    `The results file ${name} cannot be written (${troubleWith(error)}).`;

  return {
    name,
    isUnfinished: (rows) =>
      earlier !== undefined && earlier.filter(({ status }) => isSettled(status)).length < rows,
    before() {
      if (earlier) return earlier;
      throw new Failure('usage', `There is no results file ${name} to go on from.`, {
        hint: 'Name it with --results FILE, or leave --resume out.',
      });
    },
    begin(first) {
      if (path === undefined)
        return {
          add() {},
          end: (rest) => ({ all: inOrder([...first, ...rest]), trouble: undefined }),
          close() {},
        };
      const growing = (() => {
        try {
          host.files.remove(path);
          const made = host.files.growPrivate(path);
          made.add(resultsHead + resultsText(first));
          return made;
        } catch (error) {
          throw new Failure('failed', unwritten(error), {
            hint: 'Name another file with --results FILE.',
            cause: error,
          });
        }
      })();
      let isOpen = true;
      return {
        add(result) {
          try {
            growing.add(resultsText([result]));
          } catch (error) {
            // The run goes on: the log has it, too, and the file is written once more at the end.
            if (isOpen) notices.warn(unwritten(error));
            isOpen = false;
          }
        },
        end(rest) {
          const all = inOrder([...first, ...rest]);
          try {
            host.files.writePublic(path, resultsHead + resultsText(all));
            return { all, trouble: undefined };
          } catch (error) {
            const hint = leadsOn`It may lack rows; this report and ${nextStep`apply history`} have all that was done.`;
            return { all, trouble: new Failure('failed', unwritten(error), { hint, cause: error }) };
          }
        },
        close: () => growing.close(),
      };
    },
  };
}

const inOrder = (results: readonly RowResult[]): readonly RowResult[] =>
  results.toSorted((one, other) => one.row - other.row);
