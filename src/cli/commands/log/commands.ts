import { type Command, defineCommand } from '../../command/command.ts';

export const logOptions = {
  by: { value: 'NAME', doc: 'What this user of the database of a team did' },
  person: { value: 'NAME', doc: 'What a process said of its user: a name, a machine, or a pipeline' },
  command: { value: 'TEXT', doc: 'Command lines that hold this text' },
  pipeline: { value: 'ID', doc: 'What this pipeline of continuous integration did' },
  object: { value: 'TEXT', doc: 'Changes of an object, by a part of its name or its id' },
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 10m, 2h, 7d, a time, or a date in the account’s time zone',
  },
  until: { value: 'AGO|TIME', doc: 'End of the range; a date ends it when that day begins' },
  limit: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Runs that are shown; 50 by default, 10 with --follow, 0 for all',
  },
  follow: { doc: 'Go on with runs as they end, oldest first, until Ctrl-C', attended: true },
} as const;

export const shownRunArguments = { id: { name: 'ID', doc: 'Number of a run' } } as const;

export const logCommands: readonly Command[] = [
  defineCommand({
    path: ['log'],
    summary: 'See what was changed: by whom, when, where and how',
    description:
      'Every command that changes something at a service is noted in the state (on this machine, or in the database of a team), before it is sent and after: who, where, the command line, what was before and what came of it. Secrets stand as "set". In a database of a team the user and the time are those of the database; what a process said of itself stands in brackets. Newest first; --account shows one account. Runs stay for 90 days, or as long as TELCTL_LOG_DAYS or the profile says. telctl undo reverses one.',
    options: logOptions,
    account: true,
    effect: 'local',
    attended: false,
    examples: {
      'telctl log': 'The last 50 changes',
      'telctl log --account acme --since 7d --person admin': 'What admin did in acme this week',
      'telctl log --limit 0 -o ndjson': 'All of it, for a log system',
      'telctl log --follow -o ndjson': 'The same as it comes, from all machines of the team',
    },
    load: async () => (await import('./show.ts')).listRuns,
  }),
  defineCommand({
    path: ['log', 'show'],
    summary: 'Show what one run changed, value by value',
    description:
      'With -o json each change has "before" and "after"; the "before" of a delete is the record, which telctl create -f takes again.',
    arguments: shownRunArguments,
    account: false,
    effect: 'local',
    attended: false,
    examples: {
      'telctl log show 42': 'Before and after, with request ids',
      "telctl log show 42 -o json --query 'changes[].before'": 'What was deleted, as records',
    },
    load: async () => (await import('./show.ts')).showRun,
  }),
];
