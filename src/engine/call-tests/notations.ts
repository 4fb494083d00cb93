import { xml } from '../input/notations.ts';
import type { CaseResult } from './run-case.ts';

const linesOf = ({ expected, got, why }: CaseResult): readonly string[] => [
  `expected  ${expected}`,
  `got       ${got}`,
  ...(why === '' ? [] : [why]),
];

/** Results as JUnit XML: a suite for each file. */
export function junitOf(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => {
    const failed = cases.filter(({ result }) => result === 'fail').length;
    const inconclusive = cases.filter(({ result }) => result === 'inconclusive').length;
    const head = `name="${xml(file)}" tests="${cases.length}" failures="${failed}" errors="${inconclusive}" skipped="0"`;
    return [`  <testsuite ${head}>`, ...cases.map(testcase), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="telctl test">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase(one: CaseResult): string {
  const line = one.line === null ? '' : ` line="${one.line}"`;
  const head = `    <testcase classname="${xml(one.file)}" name="${xml(one.name)}" file="${xml(one.file)}"${line}`;
  if (one.result === 'pass') return `${head}/>`;
  const tag = one.result === 'fail' ? 'failure' : 'error';
  return `${head}>\n      <${tag} message="${xml(one.why || one.got)}">${xml(linesOf(one).join('\n'))}</${tag}>\n    </testcase>`;
}

const flat = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll('#', '\\#');

/** Results in version 13 of the Test Anything Protocol. */
export function tapOf(results: readonly CaseResult[]): string {
  const lines = results.flatMap((one, index) => {
    const head = `${one.result === 'pass' ? 'ok' : 'not ok'} ${index + 1} - ${flat(one.name)}`;
    if (one.result === 'pass') return [head];
    const { expected, got, why, file, line, result } = one;
    const facts = { result, expected, got, why, at: `${file}:${line ?? ''}` };
    const block = Object.entries(facts).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    return [head, '  ---', ...block, '  ...'];
  });
  return ['TAP version 13', `1..${results.length}`, ...lines, ''].join('\n');
}
