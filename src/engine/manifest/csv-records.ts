import { counted } from '../../base/wording.ts';
import type { Resource } from '../../contract/types.ts';
import { type DocumentNode, type Problem, problemAt } from '../input/document.ts';
import { cellAt, csvSource, rowFields } from './csv/make-rows.ts';
import { readHeader } from './csv/read-header.ts';
import { CsvTrouble, parseCsv } from './parse-csv.ts';

/**
 * Reads a CSV file of records of a resource, a row each, by the header rules of an import: a column fills the field of
 * its name, of its usual spelling, or of a dotted path; an empty cell gives nothing. What is wrong is returned.
 */
export function csvRecords(
  { name, text }: { readonly name: string; readonly text: string },
  resource: Pick<Resource, 'schema' | 'columns'>,
): { readonly documents: readonly DocumentNode[]; readonly problems: readonly Problem[] } {
  const atLine = (line: number, message: string, title?: string, index = 0): Problem => ({
    place: `${name}:${line}${title === undefined ? '' : ` (${title})`}`,
    file: name,
    line,
    column: index + 1,
    message,
  });
  const failed = (problem: Problem) => ({ documents: [], problems: [problem] });
  try {
    const { head, rows } = parseCsv(text);
    if (!head) return failed(atLine(1, 'it is empty; the first line names the columns'));
    if (rows.length === 0) return failed(atLine(head.line, 'there are titles, and no rows below them'));
    const header = readHeader(
      head.cells,
      { schema: resource.schema, resource },
      { map: new Map(), used: new Set(), withoutMap: true },
    );
    const source = csvSource(name, head.cells, rows);
    const tooLong = rows.flatMap(({ cells }, index) =>
      cells.slice(head.cells.length).some((cell) => cell !== '')
        ? [
            problemAt(
              { kind: 'scalar', text: '', plain: true, source, at: cellAt(head.cells, index) },
              `the row has ${counted(cells.length, 'cell')}, and there are ${counted(head.cells.length, 'column')}`,
            ),
          ]
        : [],
    );
    return {
      documents: rows.map((row, index) => rowFields(row, index, header.columns, source, head.cells)),
      problems: [
        ...header.problems.map(({ index, message }) => atLine(head.line, message, head.cells[index], index)),
        ...tooLong,
      ],
    };
  } catch (error) {
    if (!(error instanceof CsvTrouble)) throw error;
    return failed(atLine(error.line, error.message));
  }
}
