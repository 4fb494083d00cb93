import type { JsonObject } from '../../base/json.ts';

export interface Noted {
  /** Id of the rule: `dead-end`. */
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Returns SARIF 2.1.0, which code hosts show next to the lines. `rules` contains the descriptions. */
export function formatSarif(found: readonly Noted[], rules: Readonly<Record<string, string>> = {}): string {
  const named = [...new Set(found.map(({ rule }) => rule))];
  const result = ({ rule, level, message, file, line, column }: Noted): JsonObject => ({
    ruleId: rule,
    level,
    message: { text: message },
    ...(file === undefined
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: file.replaceAll('\\', '/') },
                ...(line === undefined
                  ? {}
                  : {
                      region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) },
                    }),
              },
            },
          ],
        }),
  });
  const driver = {
    name: 'telctl',
    rules: named.map((id) => ({
      id,
      ...(rules[id] === undefined ? {} : { shortDescription: { text: rules[id] } }),
    })),
  };
  const log: JsonObject = {
    $schema: schema,
    version: '2.1.0',
    runs: [{ tool: { driver }, results: found.map(result) }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  [...text]
    .filter((sign) => /[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(sign))
    .map((sign) => marks[sign] ?? sign)
    .join('');

/** Returns one test for each checked object, which fails if the object has findings. */
export function formatJunit(
  name: string,
  tried: readonly string[],
  found: readonly (Noted & { readonly of: string })[],
): string {
  const all = [...new Set([...tried, ...found.map(({ of }) => of)])];
  const cases = all.map((each) => {
    const own = found.filter(({ of, level }) => of === each && level === 'error');
    const head = `    <testcase classname="${escapeXml(name)}" name="${escapeXml(each)}"`;
    if (own.length === 0) return `${head}/>`;
    const lines = own.map(({ file, line, rule, message }) =>
      [
        file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `,
        message,
        ` (${rule})`,
      ].join(''),
    );
    return `${head}>\n      <failure message="${escapeXml(lines[0] ?? '')}">${escapeXml(lines.join('\n'))}</failure>\n    </testcase>`;
  });
  const failed = new Set(found.filter(({ level }) => level === 'error').map(({ of }) => of)).size;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}">`,
    `  <testsuite name="${escapeXml(name)}" tests="${all.length}" failures="${failed}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
