import { type Command, defineCommand } from '../../../../cli/command/command.ts';
import { controlOptions, nameOptions } from '../options.ts';

const parties = { from: { value: 'NUMBER' }, to: { value: 'NUMBER' }, from_name: { value: 'NAME' } } as const;

export const callOptions = {
  ...controlOptions('call', { ...parties, duration: { value: 'SECONDS' } }),
  noAnswer: { doc: 'Nobody answers', excludes: ['busy'] },
  busy: { doc: 'The called person is busy' },
  people: {
    value: 'WHO=WHAT',
    repeat: true,
    doc: 'What a user or device does: "bob=answers after 12s", "bob=does not answer", busy, declines, "not registered"',
  },
  digits: {
    value: 'DIGITS',
    repeat: true,
    doc: 'What the caller dials when asked next: a choice, an extension, a PIN, or timeout; several, or 2,1',
    excludes: ['presses'],
  },
  presses: {
    value: 'KEYS',
    doc: 'The same, by the words of case files: 2,2001#; nothing between commas presses nothing',
  },
  hangsUpAfter: {
    value: 'DURATION',
    doc: 'When the caller gives up, whatever has come by then: 8s',
    excludes: ['duration'],
  },
  acts: {
    flag: 'then',
    value: 'TEXT',
    repeat: true,
    doc: 'What is done in the call: "after 10s transfer 2002", "after 3s park", "after 20s hangs up callee"',
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

/** Commands that let something happen in the sandbox as if a network had brought it. */
export const callCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'call'],
    summary: 'Simulate a call through the callflows of an account',
    description:
      "Somebody calls a number of the account acme, or of --account. What happens is worked out at once and shown; webhooks are told of it in order. The call is over then: its begin is put back by its length, and its records can be read. With --real-time it is live until its end on the sandbox's clock, and counts in limits and conferences. Exits 5 where nothing answers the number, and 9 where the limits allow no further call.",
    options: callOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox call --from +15551230009 --to +15555550199': 'Somebody calls from outside',
      'telctl sandbox call --from +15551230009 --to +15555550199 --digits 2,1 --no-answer':
        'Through two menus, to somebody who is not there',
      'telctl sandbox call --from admin --to 2001 --duration 90': 'From one user to another',
      'telctl sandbox call --from +15551230009 --to 2001 --people "alice=answers after 12s" --then "after 5s transfer 2002"':
        'Alice takes it late, and passes it on',
      'telctl sandbox call --from admin --to +15551230005 --real-time': 'Out, with events as time goes by',
    },
    load: async () => (await import('./calls.ts')).simulateCall,
  }),
  defineCommand({
    path: ['sandbox', 'traffic'],
    summary: 'Make an account of the sandbox busy: many calls, answered, missed and to voicemail, and faxes',
    description:
      'Calls come from outside to the numbers of the callflows, go out from the users, and stay inside. Each leaves call records, and webhooks hear of it. Without --real-time the clock of the sandbox is turned on by the whole time, and the events of each call go out when it begins.',
    options: trafficOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox traffic --for 1h': 'An hour with a call each second, at once',
      'telctl sandbox traffic --calls-per-minute 20 --for 10m --real-time':
        'To look at while it happens: telctl channels list --watch',
    },
    load: async () => (await import('./calls.ts')).simulateTraffic,
  }),
  defineCommand({
    path: ['sandbox', 'sms'],
    summary: 'Simulate an SMS from or to a number',
    description:
      'Webhooks of the hook sms are told of it. The specification announces that hook as coming soon: a service may not have it yet.',
    options: smsOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox sms --from +15551230009 --to +15555550199 --body Hello': 'One that comes from outside',
    },
    load: async () => (await import('./calls.ts')).simulateSms,
  }),
  defineCommand({
    path: ['sandbox', 'fax'],
    summary: 'Simulate a fax from outside',
    description: 'It lies in the inbox of the account that has the number.',
    options: faxOptions,
    account: true,
    effect: 'local',
    examples: { 'telctl sandbox fax --from +15551230009 --to +15555550199 --pages 3': 'Three pages' },
    load: async () => (await import('./calls.ts')).simulateFax,
  }),
  defineCommand({
    path: ['sandbox', 'voicemail'],
    summary: 'Leave a message in a voicemail box',
    options: voicemailOptions,
    account: true,
    effect: 'local',
    examples: { 'telctl sandbox voicemail --box 2001 --from +15551230009': 'Without ringing anybody' },
    load: async () => (await import('./calls.ts')).simulateVoicemail,
  }),
];
