import { neutralise } from '../base/neutralise.ts';
import type { ReportResult } from '../command/result.ts';
import { renderList } from './render-list.ts';
import { renderValue } from './render-value.ts';
import { reportText } from './report-lines.ts';
import type { View } from './view.ts';

/** Shows a report: lines for people, rows for NDJSON and CSV, one document for JSON and YAML. */
export async function renderReport(result: ReportResult, view: View): Promise<void> {
  if (view.query !== undefined) return renderValue(result.value, undefined, view);
  switch (view.format) {
    case 'json':
    case 'yaml':
      return renderValue(result.value, undefined, view);
    case 'ndjson':
    case 'csv':
      return renderList({ kind: 'list', items: result.rows, columns: result.columns }, view);
    case 'name':
      return view.out.write(result.names.map((name) => `${neutralise(name)}\n`).join(''));
    case 'table':
      return view.out.write(await reportText(result.lines, { columns: view.out.columns, style: view.style }));
  }
}
