import type { Part } from './layout.ts';

const folders = [
  ['CONFIG', 'TELCTL_CONFIG_DIR, else XDG_CONFIG_HOME/telctl, else ~/.config/telctl'],
  ['CACHE', 'TELCTL_CACHE_DIR, else XDG_CACHE_HOME/telctl, else ~/.cache/telctl'],
  ['STATE', 'TELCTL_STATE_DIR, else XDG_STATE_HOME/telctl, else ~/.local/state/telctl'],
] as const;

/** Files that telctl keeps, by path; `*` stands for a name. A test checks what telctl writes against these. */
export const keptFiles = [
  [
    'CONFIG/config.json',
    'Profiles, and which is the default. No secret. telctl profiles delete takes one out',
  ],
  ['CONFIG/credentials/*.json', 'API key of a profile, but for login --keyring. Until telctl logout'],
  ['CONFIG/tokens/*.json', 'Token of a profile, good for an hour at most. Until telctl logout'],
  ['CONFIG/trusted-states', 'States that .telctl.yaml files may choose, a line each. No secret'],
  [
    'CACHE/tokens/*.json',
    'Token of TELCTL_* variables, named by a hash. Until telctl logout with the same variables',
  ],
  ['CACHE/names/*/*.json', 'Names for completion: no secrets. Delete them when you like'],
  [
    'CACHE/facts/*.json',
    'How services accept charges and new keys, for sign-ins by variables: no secrets. Delete them when you like',
  ],
  ['CACHE/code', 'Compiled code of telctl. Delete it when you like'],
  ['STATE/ledgers/*.json', 'What manifests manage, as ids and salted hashes. telctl never deletes one'],
  ['STATE/log/*.ndjson', 'What each command changed, for log and undo. Runs of the last 90 days stay'],
  ['STATE/sandboxes/*/log', 'What a sandbox said since it was started'],
  ['STATE/sandboxes/*/state.json', 'Address and process of a sandbox. Until it stops'],
  [
    'STATE/sandboxes/*/data/*',
    'Its records, and the secrets that it was made with. Until telctl sandbox reset',
  ],
  ['STATE/sandboxes/*/snapshots/*', 'Until telctl sandbox snapshot delete'],
  [
    'STATE/events/*.ndjson',
    'Events that webhooks listen received, for replay. The last 12 files of 2 MB stay',
  ],
  ['STATE/machine', 'A random name of this machine, by which listeners know their webhooks'],
] as const;

const read = [
  [
    '.telctl.yaml',
    'In the working folder or the nearest above: profile, account, output and state; never a secret',
  ],
  [
    'FILE',
    'What an option names: -f, --accounts, --ca-file, --client-key, and those of secrets, such as --password-file',
  ],
] as const;

const written = [
  [
    'FILE',
    'What --out, --ledger, --results, --passwords-out or --secret-out names; 0600 where it holds secrets',
  ],
] as const;

export const files: readonly Part[] = [
  { kind: 'rows', heading: 'Folders', rows: folders },
  {
    kind: 'text',
    text: 'On Windows they are config, cache and state below %LOCALAPPDATA%\\telctl, where no variable names them. telctl config path -o json shows them all.',
  },
  { kind: 'rows', heading: 'What telctl keeps', rows: keptFiles },
  {
    kind: 'text',
    text: 'All of these are for you alone: mode 0600, in folders of 0700 (that of the cache may be open); on Windows what your own folder allows. A file of secrets that others may read is used with a warning, and telctl doctor names it. A lock stands beside a file while it is written.',
  },
  { kind: 'rows', heading: 'What telctl reads besides', rows: read },
  { kind: 'rows', heading: 'What telctl writes when asked', rows: written },
];
