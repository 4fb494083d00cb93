import { type Command, defineCommand } from '../../command/command.ts';

export const showLogOptions = {
  by: { value: 'NAME', doc: 'Show only runs of this database user' },
  person: { value: 'NAME', doc: 'Show only runs that reported this name, machine or pipeline' },
  command: { value: 'TEXT', doc: 'Show only runs whose command line contains this text' },
  pipeline: { value: 'ID', doc: 'Show only runs of this CI pipeline' },
  object: { value: 'TEXT', doc: 'Show only changes of an object, by part of its name or id' },
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 10m, 2h, 7d, a time, or a date in the account’s time zone',
  },
  until: { value: 'AGO|TIME', doc: 'End of the range; for a date, the start of that day' },
  limit: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Number of runs, 0 for all (default: 50, with --follow 10)',
  },
  follow: { doc: 'Print runs when they end, oldest first, until Ctrl-C', attended: true },
} as const;

export const shownRunArguments = { id: { name: 'ID', doc: 'Number of a run' } } as const;

export const logCommands: readonly Command[] = [
  defineCommand({
    path: ['log'],
    summary: 'List changes, with user, time, account and command',
    description:
      'telctl records every command that changes a service in the state, on this machine or in the database of a team. A run has the user, account, command line, old values and results. Secrets are shown as "set". A database supplies user and time itself; values that the process reported are in brackets. Lists the newest run first; --account shows one account. Runs are kept for 90 days, unless TELCTL_LOG_DAYS or the profile sets another time. telctl undo reverses a run.',
    options: showLogOptions,
    account: true,
    effect: 'local',
    attended: false,
    examples: {
      'telctl log': 'The last 50 changes',
      'telctl log --account acme --since 7d --person admin': 'Show what admin did in acme this week',
      'telctl log --limit 0 -o ndjson': 'Print all runs, for a log system',
      'telctl log --follow -o ndjson': 'Print new runs of all machines of the team',
    },
    load: async () => (await import('./show.ts')).listRuns,
  }),
  defineCommand({
    path: ['log', 'show'],
    summary: 'Show the changes of one run, value by value',
    description:
      'With -o json each change has "before" and "after"; the "before" of a delete is the record, which you can pass to telctl create -f.',
    arguments: shownRunArguments,
    account: false,
    effect: 'local',
    attended: false,
    examples: {
      'telctl log show 42': 'Show old and new values, with request ids',
      "telctl log show 42 -o json --query 'changes[].before'": 'Print deleted records',
    },
    load: async () => (await import('./show.ts')).showRun,
  }),
];
