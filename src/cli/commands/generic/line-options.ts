import type { Resource, ResourceName } from '../../../contract/types.ts';
import type { OptionSpec, OptionSpecs } from '../../command/command.ts';

/** Options for fields that hold more than one value, which people write as one line. */
export type LineKey =
  | 'lineOfMembers'
  | 'lineOfAnswers'
  | 'lineOfDays'
  | 'lineOfHours'
  | 'lineOfNumbers'
  | 'lineOfWords'
  | 'lineOfPattern'
  | 'lineOfGateways'
  | 'lineOfSenders'
  | 'lineOfReaders'
  | 'lineOfRules'
  | 'lineOfDocument'
  | 'lineOfPortedNumbers';

interface LineOption extends OptionSpec {
  readonly key: LineKey;
  readonly fields: readonly string[];
}

const gateways: LineOption = {
  key: 'lineOfGateways',
  flag: 'gateways',
  value: 'HOST,HOST',
  fields: ['gateways'],
  doc: 'Hosts or addresses of the carrier; what needs more than that is for a file',
};

const lineOptions: Readonly<Partial<Record<ResourceName, readonly LineOption[]>>> = {
  groups: [
    {
      key: 'lineOfMembers',
      flag: 'members',
      value: 'NAME,NAME',
      fields: ['endpoints'],
      doc: 'Users, devices and groups, by name: alice,bob,"Front desk"',
    },
  ],
  callflows: [
    {
      key: 'lineOfNumbers',
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that it takes: 2001,+14155550100',
    },
    {
      key: 'lineOfPattern',
      flag: 'pattern',
      value: 'EXPRESSION',
      fields: ['patterns'],
      doc: 'Regular expression for the numbers that it takes: "^9(\\d+)$"',
    },
    {
      key: 'lineOfAnswers',
      flag: 'answers',
      value: 'KIND:NAME',
      fields: ['flow'],
      doc: 'What answers: user:alice, group:Sales, menu:Main, vmbox:2001, faxbox:Office',
    },
  ],
  temporal_rules: [
    {
      key: 'lineOfDays',
      flag: 'days',
      value: 'DAYS',
      fields: ['wdays', 'days'],
      doc: 'Weekdays (mon-fri,sun), or days of the month (1,15-20)',
    },
    {
      key: 'lineOfHours',
      flag: 'hours',
      value: 'FROM-TO',
      fields: ['time_window_start', 'time_window_stop'],
      doc: 'Time of day from and to: 09:00-17:00',
    },
  ],
  temporal_rules_sets: [
    {
      key: 'lineOfRules',
      flag: 'rules',
      value: 'NAME,NAME',
      fields: ['temporal_rules'],
      doc: 'Temporal rules, by name, in the order in which they are tested: Christmas,"New Year"',
    },
  ],
  faxes: [
    {
      key: 'lineOfDocument',
      flag: 'document',
      value: 'URL',
      fields: ['document'],
      doc: 'Address from which the service fetches what it sends: PDF or TIFF',
    },
  ],
  conferences: [
    {
      key: 'lineOfWords',
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['conference_numbers'],
      doc: 'Numbers to dial: 3001,3002',
    },
  ],
  carriers: [gateways],
  carrier_templates: [gateways],
  system_carriers: [gateways],
  carrier_jobs: [
    {
      key: 'lineOfNumbers',
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that the carrier brings: +14155550100,+14155550101',
    },
  ],
  alerts: [
    {
      key: 'lineOfSenders',
      flag: 'from',
      value: 'KIND:ID',
      fields: ['from'],
      doc: 'Who says it: account:ID, user:ID, role:admin, all',
    },
    {
      key: 'lineOfReaders',
      flag: 'to',
      value: 'KIND:ID',
      fields: ['to'],
      doc: 'Who is to read it: account:ID, user:ID, role:admin, all',
    },
  ],
  ports: [
    {
      key: 'lineOfPortedNumbers',
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that move: +14155550100,+14155550101',
    },
  ],
};

export const lineOptionsOf = ({ name }: Pick<Resource, 'name'>): readonly LineOption[] =>
  lineOptions[name] ?? [];

export const lineOptionSpecs = (resource: Resource): OptionSpecs =>
  Object.fromEntries(lineOptionsOf(resource).map(({ key, fields: _, ...spec }) => [key, spec]));

/** Lines that make a record by options alone, after `create`. */
const lineExamples: Readonly<Partial<Record<ResourceName, string>>> = {
  groups: '--name Sales --members alice,bob,"Front desk"',
  callflows: '--name Sales --numbers 2970 --answers group:Sales',
  temporal_rules: '--name "Office hours" --days mon-fri --hours 09:00-17:00',
  temporal_rules_sets: '--name Holidays --rules Christmas,"New Year"',
  faxes:
    '--from-number +14155550123 --to-number +14155550199 --document https://files.acme.example/letter.pdf',
  media: '--name Closed',
  faxboxes: '--name Office --caller-id +14155550123',
  ports: '--name "From the old carrier" --numbers +14155550100',
};

export const lineExampleOf = ({ name }: Pick<Resource, 'name'>): readonly string[] =>
  [lineExamples[name] ?? []].flat();
