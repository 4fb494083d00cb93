import { Failure } from '../base/failure.ts';
import { counted } from '../base/wording.ts';
import { type DocumentNode, type Entry, placeOf } from './document.ts';

/** One thing that is wrong with the input, and where. */
export interface Problem {
  /** `alice.yaml:4:1`, or the option that gave the value. */
  readonly place: string;
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** A text stands where the field takes something else. */
  readonly wrongType?: true;
  /** A key that the contract does not know: what it should have been called may seem missing. */
  readonly unknownKey?: true;
  /** No problem where the stored record has the same: another program may have put it there. */
  readonly mayBeStored?: true;
}

/** Names a problem at a node. */
export function problemAt(node: DocumentNode | Entry, message: string): Problem {
  const position = node.source.position(node.at);
  return {
    place: placeOf(node),
    file: node.source.name,
    line: position?.line,
    column: position?.column,
    message,
  };
}

const shownAtMost = 50;
/** All problems of all input as one failure: a line each, then the count, then what to do. Nothing has been sent. */
export function problemsFailure(problems: readonly Problem[], hint?: string): Failure {
  const files = new Set(problems.filter(({ line }) => line !== undefined).map(({ file }) => file));
  const lines = problems.slice(0, shownAtMost).map(({ place, message }) => `${place}: ${message}`);
  const more = problems.length > shownAtMost ? [`… and ${problems.length - shownAtMost} more`] : [];
  const where = files.size > 0 ? ` in ${counted(files.size, 'file')}` : '';
  const count = `Nothing was sent. ${counted(problems.length, 'problem')}${where}.`;
  return new Failure('invalid', [...lines, ...more, count], {
    hint: problems.some(({ place, wrongType }) => wrongType && place.startsWith('--set '))
      ? '--set gives text; give numbers, true and false by --set-json PATH=JSON.'
      : hint,
    details: {
      problems: problems.map(({ file, line, column, message }) => ({
        file,
        ...(line === undefined ? {} : { line, column }),
        message,
      })),
    },
  });
}
