import { assistants } from '../../../client/session/resolve-settings.ts';
import { errorKinds, errors } from './errors-topic.ts';
import { type Columns, type HelpPart, pageText } from './layout.ts';
import { filesTopic, manifests } from './manifests-topic.ts';

const environment = Object.entries({
  TELCTL_PROFILE: 'Profile (--profile); "(environment)" uses the secrets of the variables below',
  TELCTL_BASE_URL: 'Address of the service (--base-url)',
  TELCTL_ACCOUNT: 'Account to work in (--account)',
  TELCTL_API_KEY: 'API key to sign in with',
  TELCTL_TOKEN: 'Token to use unchanged',
  TELCTL_USERNAME: 'User to sign in as, with TELCTL_PASSWORD and TELCTL_ACCOUNT_NAME',
  TELCTL_PASSWORD: 'Password to sign in with',
  TELCTL_ACCOUNT_NAME: 'Account of TELCTL_USERNAME',
  TELCTL_OUTPUT: 'Output format (--output)',
  TELCTL_AGENT: '1: print JSON for an assistant by default; 0: do not',
  TELCTL_NO_INPUT: 'Never ask questions (--no-input)',
  'TELCTL_PAGER, PAGER': 'Pager for long results (default: less); cat disables it (--no-pager)',
  TELCTL_ACCESSIBLE: '1: plain lines for screen readers',
  TELCTL_PREFIX: 'Path prefix of account resources, /v2 or empty',
  TELCTL_TIMEOUT: 'Timeout of a request, in seconds (--timeout)',
  TELCTL_RETRIES: 'Retries of a safe request (--retries)',
  TELCTL_CONCURRENCY: 'Parallel requests (--concurrency)',
  TELCTL_STATE: 'State: file:DIR or postgres://USER@HOST/DATABASE (--state)',
  TELCTL_STATE_PASSWORD: 'Password of the state database',
  TELCTL_STATE_PASSWORD_COMMAND: 'Command that prints this password; runs without a shell',
  TELCTL_NOTIFY_URL: 'URL to notify of stopped rollouts and drift (--notify-file)',
  TELCTL_COUNTRY: 'Country of national numbers, two letters (--country)',
  TELCTL_LOG_DAYS: 'Days to keep the log (default: 90)',
  TELCTL_CA_FILE: 'Additional certificates to trust (--ca-file)',
  TELCTL_CLIENT_CERT: 'Client certificate (--client-cert)',
  TELCTL_CLIENT_KEY: 'Key of the client certificate (--client-key)',
  TELCTL_ALLOW_HTTP: 'Allow plain HTTP to other machines (--allow-http)',
  TELCTL_BROWSER: 'Browser for SSO sign-in',
  TELCTL_ID_TOKEN: 'ID token of this job (login --sso PROVIDER --id-token)',
  TELCTL_SANDBOX_URL: 'Address of a team sandbox for telctl sandbox commands',
  TELCTL_SANDBOX_KEY: 'Control key of a team sandbox, also for telctl sandbox serve',
  TELCTL_SANDBOX_API_KEY: 'API key of the account acme for telctl sandbox serve',
  TELCTL_CONFIG_DIR: 'Folder of profiles and keys; can be relative to the working folder',
  TELCTL_CACHE_DIR: 'Folder of caches, safe to delete; can be relative',
  TELCTL_STATE_DIR: 'Folder of sandboxes, ledgers and the log; can be relative',
  [`${assistants.slice(0, 3).join(', ')}, …`]: 'Set by assistants: same as TELCTL_AGENT=1',
  CI: 'Set: never ask questions',
  NO_COLOR: 'Set: no color',
  CLICOLOR_FORCE: 'Set and not 0: color also in pipes',
  TERM: 'dumb: no color, no progress',
  'HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY': 'Proxy for requests',
});

const output: readonly HelpPart[] = [
  { kind: 'text', text: 'Results go to stdout, everything else to stderr. -o chooses the format:' },
  {
    kind: 'rows',
    rows: [
      ['table', 'For people; ids are short at a terminal'],
      ['json', 'One document'],
      ['yaml', 'One document'],
      ['ndjson', 'One JSON value per line, streamed'],
      ['csv', 'One record per line, which users import can read'],
      ['name', 'Names or ids, one per line'],
      ['markdown', 'For plans: a comment for a pull request'],
      ['html', 'For audits and call reports: a page in one file'],
      ['junit', 'For tests and checks: JUnit XML, which CI systems display'],
      ['tap', 'For call tests: the Test Anything Protocol'],
      ['sarif', 'For audits and checks: findings that code hosts show next to the lines'],
    ],
  },
  {
    kind: 'rows',
    heading: 'Options',
    rows: Object.entries({
      '--fields a,b.c': 'Columns or keys to show; unknown names are errors',
      '--query EXPR': 'JMESPath expression over the masked JSON, before --fields',
      '--template TEXT':
        'One line per record: {EXPR} is a JMESPath expression, \\t a tab, \\n a line break, {{ and }} are braces',
      '--reveal': 'Show secret fields, which are masked by default',
    }),
  },
  {
    kind: 'text',
    text: 'Tables show times in UTC. JSON, YAML and CSV keep the values of the service: ISO 8601, or seconds since the year 0. Subtract 62167219200 to get Unix time.',
  },
  {
    kind: 'lines',
    heading: 'Examples',
    lines: [
      '# Three columns',
      'telctl users list --fields username,email,enabled',
      '# A spreadsheet',
      'telctl users list -o csv --fields username,email',
      '# Names of disabled users',
      "telctl users list -o json --query '[?enabled==`false`].username'",
      '# One value for a script, without quotes',
      'telctl whoami -o name --query account_id',
      '# A line per user',
      "telctl users list --template '{username} <{email}>'",
      '# Records with their secrets',
      'telctl vmboxes list -o yaml --reveal',
    ],
  },
  {
    kind: 'text',
    text: 'With -o json or ndjson, an error is one JSON object on stderr. Without a terminal, stderr contains nothing else, and warnings are in "warnings":',
  },
  {
    kind: 'lines',
    lines: ['{"error":{"kind","message","status","code","request_id","details","hint","action_required"}}'],
  },
  {
    kind: 'text',
    text: 'If an option could answer an open question, action_required has {"question","flags","command"}. command is the complete next command.',
  },
  {
    kind: 'text',
    text: 'If an assistant is detected (telctl help environment) and no format is chosen, results are JSON in the form {"note","data"}, and errors are JSON. Documents such as YAML, SVG and help pages are unchanged.',
  },
  {
    kind: 'text',
    text: 'In CSV, an apostrophe protects cells that a spreadsheet would run as a formula (= + - @, tab or line break at the start). Numbers such as +15551230000 are unchanged. Lists are separated by commas, or are JSON if an item contains a comma. users import reads all of this back without loss, except that empty text and no value are the same.',
  },
];

const manyAccounts: readonly HelpPart[] = [
  {
    kind: 'text',
    text: 'Most commands that read or change an account can do so in many accounts. If one account fails, the others continue, and the exit code is 8.',
  },
  {
    kind: 'rows',
    heading: 'Accounts',
    rows: [
      ['--below', 'All accounts below yours'],
      ['--accounts FILE', 'Accounts of a list: one id, name or realm per line, or CSV with a column account'],
      ['--canary N', 'The first N accounts; the others only if these succeed'],
    ],
  },
  {
    kind: 'lines',
    heading: 'Examples',
    lines: [
      '# Disabled users in all accounts',
      'telctl users list --below --filter enabled=false -o csv',
      '# One manifest for all branches, one branch first',
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
        text: 'Options override variables, variables override .telctl.yaml, and .telctl.yaml overrides the profile. telctl config explain shows where each setting comes from.',
      },
    ],
  },
  {
    name: 'exit-codes',
    summary: 'Exit codes',
    parts: [
      {
        kind: 'rows',
        heading: 'Exit codes',
        rows: [
          ['0', 'Success'],
          ...errorKinds.map(({ kind, code, means }) => [String(code), `${kind}: ${means}`] as const),
        ],
      },
    ],
  },
  { name: 'errors', summary: 'Kinds of errors, and how to solve each', parts: errors },
  {
    name: 'output',
    alias: 'formatting',
    summary: 'Output formats, fields, queries, secrets and times',
    parts: output,
  },
  { name: 'files', summary: 'Files that telctl reads, keeps and writes', parts: filesTopic },
  { name: 'manifests', summary: 'Manifests: configuration as code', parts: manifests },
  { name: 'many-accounts', summary: 'The same command in many accounts', parts: manyAccounts },
];

/** A page of `telctl help` that is not about a command, as data. The manual pages include it. */
export interface Topic {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  readonly parts: readonly HelpPart[];
}

export const topicPage = ({ parts }: Pick<Topic, 'parts'>, columns: Columns): string =>
  pageText(parts, columns);
