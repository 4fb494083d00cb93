import { assistants } from '../../../client/session/resolve-settings.ts';
import { errorKinds, errors } from './errors-topic.ts';
import { type Columns, type Part, pageText } from './layout.ts';
import { files, manifests } from './manifests-topic.ts';

const environment = Object.entries({
  TELCTL_PROFILE: 'Stored profile to use (--profile); (environment): the secrets of the variables below',
  TELCTL_BASE_URL: 'Service to talk to (--base-url)',
  TELCTL_ACCOUNT: 'Account to act on (--account)',
  TELCTL_API_KEY: 'API key to sign in with',
  TELCTL_TOKEN: 'Token to use as it is',
  TELCTL_USERNAME: 'User to sign in as, with TELCTL_PASSWORD and TELCTL_ACCOUNT_NAME',
  TELCTL_PASSWORD: 'Password to sign in with',
  TELCTL_ACCOUNT_NAME: 'Account of TELCTL_USERNAME',
  TELCTL_OUTPUT: 'Format of results (--output)',
  TELCTL_AGENT: 'Set: an assistant reads, and gets JSON where no format was chosen; 0: none does',
  TELCTL_NO_INPUT: 'Never ask (--no-input)',
  'TELCTL_PAGER, PAGER': 'Shows what is longer than the screen (less); cat: nothing does (--no-pager)',
  TELCTL_ACCESSIBLE: 'Set: nothing is drawn again, no sign without a word, plain questions, no pager',
  TELCTL_PREFIX: 'Path prefix of account resources, /v2 or empty',
  TELCTL_TIMEOUT: 'Longest wait for one request, in seconds (--timeout)',
  TELCTL_RETRIES: 'Repeats of a safe request (--retries)',
  TELCTL_CONCURRENCY: 'Parallel requests in bulk work (--concurrency)',
  TELCTL_STATE: 'Where telctl remembers what it did: file:DIR or postgres://USER@HOST/DATABASE (--state)',
  TELCTL_STATE_PASSWORD: 'Password of that database',
  TELCTL_STATE_PASSWORD_COMMAND: 'Program that prints it, with its arguments; run without a shell',
  TELCTL_NOTIFY_URL: 'Address that rollouts which stop, and drift, are told to (--notify-file)',
  TELCTL_COUNTRY: 'Country by which national numbers are read, in two letters (--country)',
  TELCTL_LOG_DAYS: 'Days that the log is kept; 90 by default',
  TELCTL_CA_FILE: 'Certificates to trust besides the usual ones (--ca-file)',
  TELCTL_CLIENT_CERT: 'Certificate that the service asks for (--client-cert)',
  TELCTL_CLIENT_KEY: 'Its key (--client-key)',
  TELCTL_ALLOW_HTTP: 'Plain http to other machines (--allow-http)',
  TELCTL_BROWSER: 'Program that opens the page of an SSO provider',
  TELCTL_ID_TOKEN: 'ID token of this job (login --sso PROVIDER --id-token)',
  TELCTL_SANDBOX_URL:
    'Address of a sandbox for a team, that telctl sandbox … is for, with TELCTL_SANDBOX_KEY',
  TELCTL_SANDBOX_KEY: 'Key that controls that sandbox; telctl sandbox serve takes it as its own',
  TELCTL_SANDBOX_API_KEY: 'API key of account acme in new records of telctl sandbox serve',
  TELCTL_CONFIG_DIR: 'Folder of profiles and keys; a relative path starts at the working folder',
  TELCTL_CACHE_DIR: 'Folder of caches, which may be deleted; a relative path as above',
  TELCTL_STATE_DIR: 'Folder of sandboxes, ledgers and the log; a relative path as above',
  [`${assistants.slice(0, 3).join(', ')}, …`]: 'Set by assistants: the same as TELCTL_AGENT',
  CI: 'Set: nothing is asked',
  NO_COLOR: 'Set: no colour',
  CLICOLOR_FORCE: 'Set and not 0: colour in pipes too',
  TERM: 'dumb: no colour, no progress',
  'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY': 'Proxy for requests',
});

const output: readonly Part[] = [
  { kind: 'text', text: 'Results go to stdout, everything else to stderr. -o chooses the format:' },
  {
    kind: 'rows',
    rows: [
      ['table', 'For people; ids are shortened at a terminal'],
      ['json', 'One document, also for a list of many pages'],
      ['yaml', 'The same as YAML'],
      ['ndjson', 'One JSON value a line, as they come'],
      ['csv', 'One line a record, which users import reads back'],
      ['name', 'Natural keys or ids, one a line'],
      ['markdown', 'Plans only: a comment for a pull request'],
      ['html', 'Audits and reports of calls: a page of one file, to read, print or send'],
      ['junit', 'Tests of calls, checks of manifests and callflows: JUnit XML, which CI shows'],
      ['tap', 'Tests of calls only: the Test Anything Protocol'],
      ['sarif', 'Audits, checks of manifests and callflows: findings that code hosts show beside the lines'],
    ],
  },
  {
    kind: 'rows',
    heading: 'Choosing',
    rows: Object.entries({
      '--fields a,b.c':
        'Columns of a table or of CSV, keys of the rest; a name that no record has is reported',
      '--query EXPR': 'JMESPath over what -o json would show: after masking, before --fields',
      '--template TEXT':
        'A line for each record, in place of -o and --fields: {EXPR} is the value of a JMESPath expression in it, \\t and \\n are a tab and a line end, {{ and }} are braces',
      '--reveal': 'Secret fields, which are masked otherwise in every format',
    }),
  },
  {
    kind: 'text',
    text: 'Times of the service are dates in UTC in tables. In JSON, YAML and CSV they stay as the service gives them: ISO 8601, or seconds since the year 0, from which 62167219200 makes Unix time.',
  },
  {
    kind: 'lines',
    heading: 'Examples',
    lines: [
      '# Three columns',
      'telctl users list --fields username,email,enabled',
      '# A spreadsheet',
      'telctl users list -o csv --fields username,email',
      '# Names of all who may not sign in',
      "telctl users list -o json --query '[?enabled==`false`].username'",
      '# One value for a script, without quotation marks',
      'telctl whoami -o name --query account_id',
      '# A line of your own for each',
      "telctl users list --template '{username} <{email}>'",
      '# Records with their secrets',
      'telctl vmboxes list -o yaml --reveal',
    ],
  },
  {
    kind: 'text',
    text: 'With -o json or ndjson an error is one JSON object on stderr, and where that is no terminal nothing else is; what was warned of stands in its warnings:',
  },
  {
    kind: 'lines',
    lines: ['{"error":{"kind","message","status","code","request_id","details","hint","action_required"}}'],
  },
  {
    kind: 'text',
    text: 'action_required is there where an answer is missing that an option gives: {"question","flags","command"}, whose command is the whole next line.',
  },
  {
    kind: 'text',
    text: 'Where a variable says that an assistant reads (telctl help environment) and no format was chosen, results and errors are JSON, and a result stands under "data" of {"note","data"}: what the service and its users wrote is data. Documents (YAML, SVG, PEM, help pages) stay as they are.',
  },
  {
    kind: 'text',
    text: 'In CSV a cell that a spreadsheet would run as a formula (it begins with = + - @, a tab or a line end) gets an apostrophe before it, and so does text that begins with apostrophes and one of these. Numbers with or without a sign, such as +15551230000, stay as they are. Lists stand between commas, or as JSON where an item holds one. users import takes all of that back, so that an exported file can be edited and imported without loss; nothing at all and empty text are the same there.',
  },
];

const manyAccounts: readonly Part[] = [
  {
    kind: 'text',
    text: 'Most commands that read or change an account can do so in many, one after the other or several at once. Each is named before its result; one that fails does not stop the others, and the exit code is then 8.',
  },
  {
    kind: 'rows',
    heading: 'Choosing accounts',
    rows: [
      ['--below', 'All accounts below the one acted on'],
      ['--accounts FILE', 'Those of a list: ids, names or realms, a line each, or CSV with a column account'],
      ['--canary N', 'The first N of them alone; the others only if all of those succeeded'],
    ],
  },
  {
    kind: 'lines',
    heading: 'Examples',
    lines: [
      '# Who is disabled, anywhere below',
      'telctl users list --below --filter enabled=false -o csv',
      '# One manifest for all branches, a first one as a trial',
      'telctl plan -f branch.yaml --accounts branches.csv',
      'telctl apply -f branch.yaml --accounts branches.csv --canary 1 --yes',
    ],
  },
];

export const topics: readonly Topic[] = [
  {
    name: 'environment',
    summary: 'Variables that telctl reads',
    parts: [
      { kind: 'rows', heading: 'Variables', rows: environment },
      {
        kind: 'text',
        text: 'Options win over variables, those over .telctl.yaml, that over the profile. telctl config explain shows each setting and where it came from.',
      },
    ],
  },
  {
    name: 'exit-codes',
    summary: 'What each exit code means',
    parts: [
      {
        kind: 'rows',
        heading: 'Exit codes',
        rows: [
          ['0', 'Done'],
          ...errorKinds.map(({ kind, code, means }) => [String(code), `${kind}: ${means}`] as const),
        ],
      },
    ],
  },
  { name: 'errors', summary: 'Kinds of errors, and what to do about each', parts: errors },
  {
    name: 'output',
    alias: 'formatting',
    summary: 'Formats, fields, queries, secrets and times',
    parts: output,
  },
  { name: 'files', summary: 'Files that telctl reads, keeps and writes', parts: files },
  { name: 'manifests', summary: 'Configuration as code: what a manifest holds', parts: manifests },
  { name: 'many-accounts', summary: 'The same command in many accounts', parts: manyAccounts },
];

/** A page of `telctl help` that is about no command, as data: help shows it, and the manual pages have it too. */
export interface Topic {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly parts: readonly Part[];
}

/** A topic as `telctl help` shows it. */
export const topicPage = ({ parts }: Pick<Topic, 'parts'>, columns: Columns): string =>
  pageText(parts, columns);
