import { type Command, defineCommand } from '../../../../cli/command/command.ts';
import { controlOptions, nameOptions } from '../options.ts';

const parties = { from: { value: 'NUMBER' }, to: { value: 'NUMBER' }, from_name: { value: 'NAME' } } as const;

export const callOptions = {
  ...controlOptions('call', { ...parties, duration: { value: 'SECONDS' } }),
  noAnswer: { doc: 'Nobody answers', excludes: ['busy'] },
  busy: { doc: 'Let called people be busy' },
  people: {
    value: 'WHO=WHAT',
    repeat: true,
    doc: 'Behavior of a user or device: "bob=answers after 12s", "bob=does not answer", busy, declines, "not registered"',
  },
  digits: {
    value: 'DIGITS',
    repeat: true,
    doc: 'Digits for the next prompt: a choice, an extension, a PIN or timeout (repeatable, or 2,1)',
    excludes: ['presses'],
  },
  presses: {
    value: 'KEYS',
    doc: 'Digits in the format of case files, such as 2,2001# (an empty part presses no key)',
  },
  hangsUpAfter: {
    value: 'DURATION',
    doc: 'Time after which the caller hangs up: 8s',
    excludes: ['duration'],
  },
  acts: {
    flag: 'then',
    value: 'TEXT',
    repeat: true,
    doc: 'Action during the call: "after 10s transfer 2002", "after 3s park", "after 20s hangs up callee"',
  },
  ...controlOptions('call', { real_time: {} }),
  ...nameOptions,
} as const;

export const trafficOptions = {
  ...controlOptions('traffic', { calls_per_minute: { value: 'N' } }),
  for: { value: 'DURATION', required: true, doc: 'How long, such as 10m or 1h' },
  ...controlOptions('traffic', { seed: { value: 'N' }, real_time: {} }),
  ...nameOptions,
} as const;

const { from_name: _, ...twoParties } = parties;

export const smsOptions = {
  ...controlOptions('sms', { ...twoParties, body: { value: 'TEXT' } }),
  ...nameOptions,
} as const;

export const faxOptions = {
  ...controlOptions('fax', { ...parties, pages: { value: 'N' } }),
  ...nameOptions,
} as const;

export const voicemailOptions = {
  ...controlOptions('voicemail', {
    box: { value: 'BOX', completes: { resource: 'vmboxes' } },
    from: { value: 'NUMBER' },
    from_name: { value: 'NAME' },
    seconds: { value: 'N' },
    text: { value: 'TEXT' },
  }),
  ...nameOptions,
} as const;

export const callCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'call'],
    summary: 'Simulate a call through the callflows of an account',
    description:
      "Simulates a call to a number of account acme, or of --account. The result is shown immediately, and webhooks receive its events in order. The call has already ended: its start is moved back by its length, and its records are available. With --real-time, the call stays live until its end on the sandbox's clock, and counts in limits and conferences. Exits with code 5 if no callflow has the number, and with code 9 if a limit refuses the call.",
    options: callOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox call --from +15551230009 --to +15555550199': 'Call from outside',
      'telctl sandbox call --from +15551230009 --to +15555550199 --digits 2,1 --no-answer':
        'Call through two menus to a user who does not answer',
      'telctl sandbox call --from admin --to 2001 --duration 90': 'Call from one user to another',
      'telctl sandbox call --from +15551230009 --to 2001 --people "alice=answers after 12s" --then "after 5s transfer 2002"':
        'Alice answers late and transfers the call',
      'telctl sandbox call --from admin --to +15551230005 --real-time':
        'Call an outside number, with events in real time',
    },
    load: async () => (await import('./calls.ts')).simulateCall,
  }),
  defineCommand({
    path: ['sandbox', 'traffic'],
    summary: 'Simulate traffic in an account: many calls and faxes',
    description:
      'Simulates incoming, outgoing and internal calls. Each call leaves call records and sends events to webhooks. Calls are answered, missed or go to voicemail. Without --real-time, the clock of the sandbox advances by the whole time, and the events of each call are sent when it begins.',
    options: trafficOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox traffic --for 1h': 'Simulate one hour of calls at full speed',
      'telctl sandbox traffic --calls-per-minute 20 --for 10m --real-time':
        'Simulate calls in real time; watch them with telctl channels list --watch',
    },
    load: async () => (await import('./calls.ts')).simulateTraffic,
  }),
  defineCommand({
    path: ['sandbox', 'sms'],
    summary: 'Simulate an SMS from or to a number',
    description:
      'Webhooks with the hook sms receive it. The specification announces this hook as coming soon, so other services may not have it yet.',
    options: smsOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox sms --from +15551230009 --to +15555550199 --body Hello': 'Simulate an SMS from outside',
    },
    load: async () => (await import('./calls.ts')).simulateSms,
  }),
  defineCommand({
    path: ['sandbox', 'fax'],
    summary: 'Simulate a fax from outside',
    description: 'The fax is stored in the inbox of the account that has the number.',
    options: faxOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox fax --from +15551230009 --to +15555550199 --pages 3': 'Simulate a fax of three pages',
    },
    load: async () => (await import('./calls.ts')).simulateFax,
  }),
  defineCommand({
    path: ['sandbox', 'voicemail'],
    summary: 'Leave a message in a voicemail box',
    options: voicemailOptions,
    account: true,
    effect: 'local',
    examples: { 'telctl sandbox voicemail --box 2001 --from +15551230009': 'Leave a message without a call' },
    load: async () => (await import('./calls.ts')).simulateVoicemail,
  }),
];
