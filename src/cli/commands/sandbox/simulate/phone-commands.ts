import { type Command, defineCommand } from '../../../command/command.ts';
import { nameOptions } from '../options.ts';

export const phoneArguments = {
  phone: {
    name: 'PHONE',
    doc: 'A device by id, name, MAC or SIP user name, or a user: all devices of the user',
  },
} as const;

export const registerOptions = {
  expires: {
    flag: 'expires',
    value: 'SECONDS',
    type: 'integer',
    minimum: 1,
    maximum: 31 * 86_400,
    doc: 'Seconds until it has to register again; by default what its device says, 300',
  },
  userAgent: { flag: 'user-agent', value: 'TEXT', doc: 'What the phone calls itself' },
  ...nameOptions,
} as const;

const register = defineCommand({
  path: ['sandbox', 'phone', 'register'],
  summary: 'Register a phone, so that it rings',
  description:
    "A simulated phone with the credentials of its device. It stays registered until that expires on the sandbox's clock, unless it registers again; webhooks are told of both. Simulated calls ring the devices that are registered; for a user without any device the user answers, except with --like kazoo.",
  arguments: phoneArguments,
  options: registerOptions,
  account: true,
  effect: 'local',
  examples: [
    { line: 'telctl sandbox phone register alice', doc: 'All phones of a user' },
    { line: 'telctl sandbox phone register desk --expires 86400', doc: 'One, for a day' },
  ],
  load: async () => (await import('./phones.ts')).registerPhones,
});

const unregister = defineCommand({
  path: ['sandbox', 'phone', 'unregister'],
  summary: 'End the registration of a phone',
  arguments: phoneArguments,
  options: nameOptions,
  account: true,
  effect: 'local',
  examples: [{ line: 'telctl sandbox phone unregister alice', doc: 'Calls do not ring there any more' }],
  load: async () => (await import('./phones.ts')).unregisterPhones,
});

const list = defineCommand({
  path: ['sandbox', 'phone', 'list'],
  summary: 'List the phones of an account, and which of them are registered',
  arguments: {},
  options: nameOptions,
  account: true,
  effect: 'local',
  examples: [{ line: 'telctl sandbox phone list', doc: 'Who would ring' }],
  load: async () => (await import('./phones.ts')).listPhones,
});

export const phoneCommands: readonly Command[] = [register, unregister, list];
