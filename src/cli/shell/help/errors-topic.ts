import { exitCodes, type FailureKind } from '../../../base/failure.ts';
import type { HelpPart } from './layout.ts';

interface ErrorKind {
  /** Summary in `telctl help exit-codes`. */
  readonly means: string;
  readonly first: string;
  /** Common messages with their fixes. `…` marks variable parts. A test finds the messages in the source. */
  readonly seen: Readonly<Record<string, string>>;
}

const help: Readonly<Record<FailureKind, ErrorKind>> = {
  failed: {
    means: 'Server error, or an error without its own kind',
    first:
      'Run the command again with --verbose to see each request and its status. telctl doctor checks this machine, the profile and the service.',
    seen: {
      'The service responded with …':
        'The service returned an error without a more specific kind. Search its log for the request id.',
      'The certificate of … is not trusted':
        'The certificate comes from your own authority. Name its file with --ca-file. The check cannot be disabled.',
      '… cannot be written (…':
        'The disk is full, or the folder is not writable. TELCTL_STATE_DIR, TELCTL_CACHE_DIR and TELCTL_CONFIG_DIR choose other folders.',
      'The sandbox did not start':
        'The next line has the reason. Run telctl sandbox stop, then telctl sandbox start. telctl sandbox reset erases its data.',
      'This is a bug in telctl': 'Run the command again with --verbose, and report the output.',
    },
  },
  usage: {
    means: 'Unknown command or option, or a missing answer',
    first: 'No request was sent. Add --help to the command to see its options and examples.',
    seen: {
      'No account is chosen': 'Pass --account, or set it once: telctl profiles set NAME --account ACCOUNT.',
      '… is missing.': 'telctl cannot ask here. Pass the option.',
      'There is no help on …':
        'telctl help commands lists all commands, and telctl help the most common topics.',
      'Standard input can be read once':
        'Two options read standard input. Put one value into a file that only you can read.',
    },
  },
  differences: {
    means: 'There are differences, and --exit-code was given',
    first: 'This is not an error. telctl apply removes the differences.',
    seen: {},
  },
  auth: {
    means: 'Not signed in, refused, or not allowed',
    first:
      'telctl whoami shows who you are and how you signed in. telctl config explain shows where each setting comes from.',
    seen: {
      'Not signed in':
        'Run telctl login. In a pipeline, set TELCTL_BASE_URL, TELCTL_ACCOUNT and TELCTL_API_KEY.',
      'The service refused the sign-in':
        'The user, password, account or key is wrong, or the user is disabled. The name of an account is not its realm: try --account-realm.',
      'The service does not allow this':
        'Your user lacks the right. Most changes need an administrator of the account, and some an administrator of the account above.',
      'These credentials belong to another account':
        'The profile and the key belong to different accounts. Create a profile for the other one: telctl login --profile NAME.',
    },
  },
  not_found: {
    means: 'Not found',
    first:
      'telctl searches in one account. telctl whoami names it, and --account chooses another. telctl find TEXT searches all records.',
    seen: {
      'There is no …': 'Check the suggested name. list shows all names, and --below searches sub-accounts.',
      'The service has nothing at …':
        'The path is wrong, or the service uses another prefix. telctl doctor detects the prefix.',
      'This service does not offer …':
        'Only other services have this operation. telctl conformance lists what this one offers.',
    },
  },
  conflict: {
    means: 'Conflict with the current state',
    first: 'Another change came first. Look at the current state, then decide again.',
    seen: {
      'The service refused the input: …':
        'The value must be unique and is in use, such as a user name, a number or a realm. telctl find shows where.',
      '… was changed since it was read':
        'Somebody else changed the record. Read it again, and repeat your change.',
      'Others changed what telctl manages since the last apply':
        'telctl diff shows the changes. Add them to the manifest, or replace them with --overwrite.',
      'The service refused this because of a conflict':
        'The next line has the reason. Often another record still refers to this one: telctl find.',
    },
  },
  charges: {
    means: 'Charges were not accepted',
    first:
      'The change costs money and was not made. Repeat it with --accept-charges-up-to AMOUNT, or with --accept-charges for any amount. --yes never accepts charges.',
    seen: {
      'Charges must be accepted': 'telctl could not ask. The table above shows each item.',
      'The service requires consent to charges first':
        'The service named no items, so no budget can cover them. Use --accept-charges, or accept them in its web interface.',
    },
  },
  partial: {
    means: 'Some changes or reads failed',
    first:
      'Each failure has its own line, and with -o json an entry in details. Run the command again to do the rest.',
    seen: {
      'failed …, skipped …':
        'Run telctl apply --resume to continue, or telctl undo to reverse what was done.',
      'Some reads or changes failed':
        'Other accounts or records succeeded. Use the list of failures for the next --accounts.',
    },
  },
  refused: {
    means: 'Refused by a safety rule of telctl',
    first:
      'telctl refused before it sent a request. The message names the rule, and the hint how to lift it.',
    seen: {
      '… is read-only':
        'The profile is protected. Choose another one with --profile, or run telctl profiles set NAME --protect none.',
      '… already exists': 'telctl does not overwrite files. Choose another name, or move the file.',
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off':
        'Unset the variable, and name the certificate with --ca-file.',
    },
  },
  invalid: {
    means: 'Invalid input',
    first:
      'The input is not valid. No change was made. telctl explain users.caller_id describes a field. telctl validate checks a manifest.',
    seen: {
      'The service refused the input: …': 'The service has its own rules. The next lines name each field.',
      '… was changed since telctl saved it': 'A saved plan cannot be edited. Run telctl plan again.',
      '… is not UTF-8 text': 'Save the file as UTF-8. In a spreadsheet, choose "CSV UTF-8".',
    },
  },
  unavailable: {
    means: 'The network or the service failed after all retries, or --deadline expired',
    first:
      'Run the command again later. It first checks whether earlier creates succeeded. telctl doctor tests the connection.',
    seen: {
      '… does not answer (…':
        'ENOTFOUND: the name is wrong. ECONNREFUSED: no server listens there. ETIMEDOUT: a firewall blocks it, or you need a proxy (HTTPS_PROXY).',
      '… accepts no more requests for now':
        'You reached the rate limit of the service. Send fewer requests at once with --concurrency.',
      'The sandbox is not running': 'Run telctl sandbox start.',
      'The response of … broke off':
        'A proxy closed the connection, or the response took too long: --timeout.',
    },
  },
  interrupted: {
    means: 'Interrupted',
    first:
      'Ctrl-C or a signal stopped the command. telctl log shows what was done, and telctl apply --resume continues.',
    seen: {
      Interrupted: 'If it was not you, the job was canceled or reached its time limit.',
    },
  },
};

export const isErrorKind = (word: string | undefined): word is FailureKind =>
  word !== undefined && Object.hasOwn(exitCodes, word);

/** Every kind of error with its help, in the order of the exit codes. */
export const errorKinds = Object.entries(exitCodes).flatMap(([kind, code]) =>
  isErrorKind(kind) ? [{ kind, code, ...help[kind], seen: Object.entries(help[kind].seen) }] : [],
);

export function errorParts(kind: FailureKind): readonly HelpPart[] {
  const { means, first, seen } = help[kind];
  const rows = Object.entries(seen);
  const messages = { kind: 'rows', heading: 'Messages', rows } as const;
  return [
    { kind: 'text', text: `${kind} (exit code ${exitCodes[kind]}): ${means}.` },
    { kind: 'text', text: first },
    ...(rows.length === 0 ? [] : [messages]),
  ];
}

export const errors: readonly HelpPart[] = [
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
