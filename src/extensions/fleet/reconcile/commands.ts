import { type Command, defineCommand } from '../../../cli/command/command.ts';
import {
  accountsOption,
  manifestOptions,
  notifyOption,
  planOptions,
} from '../../../cli/commands/manifest-options.ts';

export const reconcileOptions = {
  ...manifestOptions,
  ...planOptions,
  ...accountsOption,
  ...notifyOption,
  every: {
    value: 'DURATION',
    required: true,
    doc: 'Interval between the starts of two rounds',
  },
  correct: { doc: 'Correct drift (default: only report it)' },
  metrics: {
    value: 'ADDRESS',
    doc: 'Serve Prometheus metrics at /metrics and health at /health, such as 127.0.0.1:9464 or a port',
    does: ['listens'],
  },
  rounds: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Exit after this many rounds, with code 8 if accounts failed in the last round',
  },
} as const;

export const reconcileCommands: readonly Command[] = [
  defineCommand({
    path: ['reconcile'],
    attended: true,
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Check regularly for drift from a manifest, and correct it',
    description:
      'Each round reads the manifest, plans every account and reports drift. --correct applies the manifest to accounts with drift, with --overwrite, within --max-deletes and --max-change-percent. Drift and failures are reported when they start and end, not in each round. Charges are only accepted up to --accept-charges-up-to. SIGTERM and Ctrl-C wait for running accounts. Metrics: accounts, accounts in drift, age of the last check, failures, corrections, waits for the rate limit.',
    options: reconcileOptions,
    account: true,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl reconcile -f base --accounts branches.csv --every 15m --metrics 127.0.0.1:9464':
        'Only check, and export metrics to Prometheus',
      'telctl reconcile -f office.yaml --every 10m --correct --yes': 'Revert changes by others',
    },
    load: async () => (await import('./reconcile.ts')).reconcile,
  }),
];
