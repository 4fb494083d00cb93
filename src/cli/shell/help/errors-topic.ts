import { exitCodes, type FailureKind } from '../../../base/failure.ts';
import type { Part } from './layout.ts';

/** Everything that help and docs/troubleshooting.md say about one kind of error. */
interface ErrorKind {
  /** Summary, as `telctl help exit-codes` has it. */
  readonly means: string;
  /** What to do about it, whatever the message. */
  readonly first: string;
  /** The commonest messages (`…` stands for what differs), and what to do about each; a test finds them in the source. */
  readonly seen: Readonly<Record<string, string>>;
}

const help: Readonly<Record<FailureKind, ErrorKind>> = {
  failed: {
    means: 'The server failed, or anything not below',
    first:
      'Repeat with --verbose: it shows each request and its status. telctl doctor looks at this machine, the profile and the service.',
    seen: {
      'The service answered …':
        'A status that has no better word. The request id finds it in the log of the service.',
      'The certificate of … is not trusted':
        'The service has a certificate of its own authority: name that in --ca-file. Nothing turns the check off.',
      '… cannot be written (…':
        'A full disk, or a folder that is not yours. TELCTL_STATE_DIR, TELCTL_CACHE_DIR and TELCTL_CONFIG_DIR name others.',
      'The sandbox did not start':
        'The reason follows. telctl sandbox stop, then start; telctl sandbox reset begins anew.',
      'This is a bug in telctl': 'Repeat with --verbose, and report what it shows.',
    },
  },
  usage: {
    means: 'Unknown command or option, or an answer that is missing',
    first: 'Nothing was sent. --help after the words of a command shows its options and examples.',
    seen: {
      'No account is chosen':
        'Name one with --account, or once for all: telctl profiles set NAME --account ACCOUNT.',
      '… is missing.': 'Nobody can be asked here, so the option has to say it.',
      'There is no help on …':
        'telctl help commands lists every command, telctl help the topics that people ask for most.',
      'Standard input can be read once':
        'Two options read it. Put one of the two into a file, readable by you alone.',
    },
  },
  differences: {
    means: 'There are differences, and --exit-code was given',
    first: 'No error: a script asked to be told of differences by the exit code. telctl apply makes them go.',
    seen: {},
  },
  auth: {
    means: 'Not signed in, refused, or not allowed',
    first:
      'telctl whoami says who you are, where, and how you signed in. telctl config explain says where each setting came from.',
    seen: {
      'Not signed in': 'telctl login, or in a pipeline TELCTL_BASE_URL, TELCTL_ACCOUNT and TELCTL_API_KEY.',
      'The service refused the sign-in':
        'Wrong user, password, account or key; or the user is disabled. Names of accounts are not realms: try --account-realm.',
      'The service does not allow this':
        'You are signed in, but may not do it: most changes need an administrator of the account, some one of the account above.',
      'What signed in belongs to another account':
        'The profile and the key are of two accounts. telctl login --profile NAME makes a profile for the other one.',
    },
  },
  not_found: {
    means: 'There is no such thing',
    first:
      'Names are looked up in the account acted on: telctl whoami names it, --account chooses another. telctl find TEXT looks everywhere in it.',
    seen: {
      'There is no …': 'Did you mean … names the nearest. list shows all; --below looks into other accounts.',
      'The service has nothing at …':
        'The path is wrong, or has another prefix: telctl doctor finds out which one the service has.',
      'This service does not offer …':
        'The operation is a convention of other services. telctl conformance says what this one offers.',
    },
  },
  conflict: {
    means: 'Conflict: the server refused, or something changed meanwhile',
    first: 'Somebody or something else was there first. Look at how it is now, then decide again.',
    seen: {
      'The service refused the input: …':
        'A value has to be unique and is taken: a user name, a number, a realm. telctl find says by what.',
      '… was changed since it was read': 'Two people worked on one record. Read it again, and repeat.',
      'Others changed what telctl manages since the last apply':
        'telctl diff shows how. Put it into the manifest, or set it back with --overwrite.',
      'The service refused this because of a conflict':
        'What it said follows. Often something still refers to what is to go: telctl find.',
    },
  },
  charges: {
    means: 'Charges were not accepted',
    first:
      'The change costs money and was not made. Repeat with --accept-charges-up-to AMOUNT, or --accept-charges for any amount. --yes never accepts charges.',
    seen: {
      'Charges must be accepted': 'Nobody could be asked. The table above it shows each item.',
      'The service wants charges to be accepted first':
        'It named no items that can be added up: only --accept-charges, or its own pages, can agree.',
    },
  },
  partial: {
    means: 'Some was done or read, and some was not',
    first:
      'Each failure stands in its own line, and with -o json in details. What was done stays done: repeat the command, which does the rest.',
    seen: {
      'failed …, skipped …':
        'telctl apply --resume goes on where it stopped; telctl undo takes back what was done.',
      'Some of it could not be read or done':
        'Other accounts or records were done. The list of failures is made for the next --accounts.',
    },
  },
  refused: {
    means: 'A safety rule of telctl: a read-only or protected profile',
    first:
      'telctl itself refused, before anything was sent. The message names the rule, the hint what lifts it.',
    seen: {
      '… is read-only':
        'The profile was protected on purpose. Choose another with --profile, or telctl profiles set NAME --protect none.',
      '… is there already': 'telctl overwrites no file unasked. Choose another name, or move the file away.',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off':
        'Unset it, and name the certificate with --ca-file.',
    },
  },
  invalid: {
    means: 'Input that does not fit its schema',
    first:
      'Nothing was sent, or the service refused it whole. telctl explain users.caller_id says what a field takes; telctl validate checks a manifest with no service.',
    seen: {
      'The service refused the input: …':
        'The service has rules of its own. Its words follow, field by field.',
      '… was changed since telctl saved it':
        'A saved plan is carried out as it was shown or not at all. Plan again.',
      '… is not UTF-8 text': 'Save the file as UTF-8; in a spreadsheet "CSV UTF-8".',
    },
  },
  unavailable: {
    means: 'Network or service trouble that outlasted the repeats, or --deadline was over',
    first:
      'Run it again later: creates that may have been carried out are looked for first. telctl doctor says how far the connection comes.',
    seen: {
      '… does not answer (…':
        'ENOTFOUND: the name is wrong. ECONNREFUSED: nothing listens there. ETIMEDOUT: a firewall, or a proxy is needed (HTTPS_PROXY).',
      '… takes no more requests for now': 'The rate limit of the service: fewer at once with --concurrency.',
      'The sandbox is not running': 'telctl sandbox start.',
      'The reply of … broke off': 'A proxy, or too much for the time allowed: --timeout.',
    },
  },
  interrupted: {
    means: 'Interrupted',
    first:
      'Ctrl-C, or a signal. What was under way is finished or named; telctl log shows it, telctl apply --resume goes on.',
    seen: { Interrupted: 'If it was not you: the job was cancelled, or its time was over.' },
  },
};

export const isErrorKind = (word: string | undefined): word is FailureKind =>
  word !== undefined && Object.hasOwn(exitCodes, word);

/** Every kind of error with what help says about it, in the order of the exit codes. */
export const errorKinds = Object.entries(exitCodes).flatMap(([kind, code]) =>
  isErrorKind(kind) ? [{ kind, code, ...help[kind], seen: Object.entries(help[kind].seen) }] : [],
);

export function errorParts(kind: FailureKind): readonly Part[] {
  const { means, first, seen } = help[kind];
  const rows = Object.entries(seen);
  const messages = { kind: 'rows', heading: 'Messages', rows } as const;
  return [
    { kind: 'text', text: `${kind} (exit code ${exitCodes[kind]}): ${means}.` },
    { kind: 'text', text: first },
    ...(rows.length === 0 ? [] : [messages]),
  ];
}

export const errors: readonly Part[] = [
  {
    kind: 'text',
    text: 'Every error has a kind, which -o json shows and the exit code follows. telctl help KIND has its messages, and what to do about each.',
  },
  {
    kind: 'rows',
    heading: 'Kinds',
    rows: errorKinds.map(({ kind, means }) => [kind, means] as const),
  },
];
