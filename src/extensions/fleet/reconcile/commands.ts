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
    doc: 'Time from the beginning of one round to that of the next',
  },
  correct: { doc: 'Set back what differs; without it nothing is sent' },
  metrics: {
    value: 'ADDRESS',
    doc: 'Offer Prometheus metrics at /metrics and the health at /health: 127.0.0.1:9464, or a port alone',
    does: ['listens'],
  },
  rounds: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'End after this many rounds, with exit 8 where accounts failed in the last one',
  },
} as const;

export const reconcileCommands: readonly Command[] = [
  defineCommand({
    path: ['reconcile'],
    attended: true,
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Check for drift from a manifest regularly, and correct it with --correct',
    description:
      'Plans every account at each round and reports where it differs from the manifest. --correct applies the manifest there, with --overwrite, within --max-deletes and --max-change-percent; an account that differs or fails is told when it begins and when it ends, not at each round; charges are accepted only as --accept-charges-up-to says. The manifest is read again at each round. SIGTERM and Ctrl-C let the accounts that are under way end. Metrics: accounts, accounts in drift, age of the last look, failures, corrections, waits for the rate limit.',
    options: reconcileOptions,
    account: true,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl reconcile -f base --accounts branches.csv --every 15m --metrics 127.0.0.1:9464':
        'Only look, and tell Prometheus',
      'telctl reconcile -f office.yaml --every 10m --correct --yes': 'Set back what others change',
    },
    load: async () => (await import('./reconcile.ts')).reconcile,
  }),
];
