import { flag, integer, list, text, texts } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';
import { impliedCycle, readDays, readHours } from '../temporal-lines.ts';
import { usualStartDate, weekdays } from '../temporal-match.ts';

const secondOfDay = (doc: string) =>
  integer(doc, { option: true, shownAs: 'time of day', convention: { minimum: 0, maximum: 86_400 } });

export const temporal_rules = resource({
  name: 'temporal_rules',
  singular: 'temporal rule',
  summary: 'Times at which callflows branch: opening hours, holidays',
  order: 62,
  idParameter: 'rule_id',
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, Temporal rules',
  doc: 'A temporal rule',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    cycle: text('Recurrence of the rule; date means only the start date', {
      option: true,
      convention: { enum: ['date', 'daily', 'weekly', 'monthly', 'yearly'] },
    }),
    interval: integer('Every n-th day, week, month or year, counted from the start date', {
      option: true,
      convention: { minimum: 1, default: 1 },
    }),
    start_date: integer('First day, in the time zone of the account', {
      option: true,
      shownAs: 'date',
      convention: { default: usualStartDate },
    }),
    time_window_start: secondOfDay('Start time of day (default: midnight)'),
    time_window_stop: secondOfDay('End time of day (default: 24:00)'),
    wdays: list(
      text('A weekday', { convention: { enum: [...weekdays.slice(0, 3), 'wensday', ...weekdays.slice(3)] } }),
      'Weekdays; an empty list means every day',
    ),
    days: list(
      integer('A day', { convention: { minimum: 1, maximum: 31 } }),
      'Days of the month, in ascending order; they take precedence over weekdays',
    ),
    ordinal: text('Occurrence of the weekday in the month', {
      option: true,
      convention: { enum: ['every', 'first', 'second', 'third', 'fourth', 'fifth', 'last'] },
    }),
    month: integer('Month of a yearly rule, 1 to 12', {
      option: true,
      convention: { minimum: 1, maximum: 12 },
    }),
    enabled: flag('true matches always, false never; without it, the times decide'),
    type: text('Purpose set by the program that created it'),
    flags: shared.flagWords,
  }),
  required: [{ fields: ['name', 'cycle'], on: ['create', 'update'], source: 'convention' }],
  lines: [
    {
      flag: 'days',
      value: 'DAYS',
      fields: ['wdays', 'days'],
      doc: 'Weekdays (mon-fri,sun), or days of the month (1,15-20)',
      read: readDays,
    },
    {
      flag: 'hours',
      value: 'FROM-TO',
      fields: ['time_window_start', 'time_window_stop'],
      doc: 'Time of day from and to: 09:00-17:00',
      read: readHours,
    },
  ],
  implied: impliedCycle,
  columns: [
    'name',
    {
      header: 'DAYS',
      paths: ['cycle', 'interval', 'start_date', 'month', 'ordinal', 'wdays', 'days'],
      show: 'days',
    },
    { header: 'HOURS', paths: ['time_window_start', 'time_window_stop'], show: 'hours' },
    { header: 'ENABLED', paths: ['enabled'], show: 'flag', sparse: true },
    { header: 'FLAGS', paths: ['flags'], show: 'list', sparse: true },
    'id',
  ],
  sections: [{ order: 122 }],
  listFields: ['name', 'type', 'flags'],
  wholeInTables: true,
  operations: [collection()],
});

export const temporal_rules_sets = resource({
  name: 'temporal_rules_sets',
  singular: 'temporal rule set',
  plural: 'temporal rule sets',
  summary: 'Temporal rules that callflows test together, such as all holidays',
  order: 64,
  idParameter: 'set_id',
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, Temporal rules',
  doc: 'A set of temporal rules',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    temporal_rules: list(
      text('Id of a rule', { ref: 'temporal_rules' }),
      'Its rules, in the order of evaluation',
      { convention: { minItems: 1 } },
    ),
    flags: shared.flagWords,
    rules: texts('Its rules, in lists', { readOnly: true }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  lines: [
    {
      flag: 'rules',
      value: 'NAME,NAME',
      fields: ['temporal_rules'],
      doc: 'Temporal rules, by name, in the order of evaluation: Christmas,"New Year"',
    },
  ],
  columns: ['name', { header: 'RULES', paths: ['rules'], show: 'count' }, 'id'],
  commandWords: ['temporal-rule-sets'],
  sections: [{ order: 124 }],
  listFields: ['name', 'rules', 'flags'],
  operations: [collection({ plural: 'temporal rule sets' })],
});
