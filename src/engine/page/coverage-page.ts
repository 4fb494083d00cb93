import { flowPicture } from './flow-picture.ts';
import { html, isolated, type Markup } from './html/markup.ts';
import { reportPage } from './html/report-page.ts';
import type { FlowStep } from './views/flow-layout.ts';

/** A step of a callflow, whether a call came to it, and what stands behind it. */
interface CoveredStep {
  readonly label: string;
  readonly reached: boolean;
  readonly branches: readonly { readonly key: string; readonly step: CoveredStep }[];
}

/** What calls of cases reach, as the page shows it. */
export interface CoverageReport {
  readonly when: string;
  readonly percent: number;
  readonly results: readonly { readonly name: string; readonly result: string; readonly got: string }[];
  readonly flows: readonly {
    readonly name: string;
    readonly numbers: readonly string[];
    readonly start: CoveredStep | undefined;
  }[];
  /** What no case reaches, in words. */
  readonly missed: readonly string[];
}

const drawn = ({ label, reached, branches }: CoveredStep): FlowStep => {
  const [name = '', ...about] = label.split(' ');
  return {
    name,
    about: about.join(' '),
    mark: reached ? 'reached' : 'missed',
    branches: branches.map(({ key, step }) => ({ key, step: drawn(step) })),
  };
};

const isReached = (step: CoveredStep): boolean => step.reached;

const section = ({ name, numbers, start }: CoverageReport['flows'][number]): Markup => {
  const begin: FlowStep = {
    name,
    about: numbers.join(', '),
    branches: start ? [{ key: '_', step: drawn(start) }] : [],
  };
  const untouched = start && !isReached(start) ? html`<p class="warning">No case calls it.</p>` : '';
  return html`<section><h2>${isolated(name)}</h2>${untouched}<div class="chart" tabindex="0" role="group" aria-label="${name}">${flowPicture(name, begin)}</div></section>`;
};

const looks: Readonly<Record<string, string>> = { pass: 'note', fail: 'error' };

const row = ({ name, result, got }: CoverageReport['results'][number]): Markup =>
  html`<tr><td><span class="chip ${looks[result] ?? 'warning'}">${result}</span></td><td>${isolated(name)}</td><td>${isolated(got)}</td></tr>`;

/** The callflows of an account with what cases reach of them, as one file that loads nothing. Names are escaped. */
export function coveragePage({ when, percent, results, flows, missed }: CoverageReport): string {
  const count = (wanted: string): string => String(results.filter(({ result }) => result === wanted).length);
  return reportPage({
    title: 'Calls that are tested',
    lead: `${when} UTC`,
    sums: [
      { figure: `${percent}%`, word: 'of steps, branches and rules reached' },
      { figure: count('pass'), word: 'pass', look: 'note' },
      { figure: count('fail'), word: 'fail', look: 'error' },
      { figure: count('inconclusive'), word: 'inconclusive', look: 'warning' },
    ],
    body: [
      missed.length > 0 &&
        html`<h2>Not reached</h2><ul>${missed.map((each) => html`<li>${isolated(each)}</li>`)}</ul>`,
      flows.map(section),
      html`<h2>Cases</h2><div class="table" tabindex="0" role="group" aria-label="Cases"><table><thead><tr><th scope="col">Result</th><th scope="col">Case</th><th scope="col">Ends in</th></tr></thead><tbody>${results.map(row)}</tbody></table></div>`,
    ].flatMap((part) => (part === false ? [] : part)),
  });
}
