// Made from the contract by `npm run generate`, for what must not wait for the contract to load.
import type { Resource, ResourceName } from './types.ts';

/** A resource that is the first word of its commands. */
export interface ResourceNoun {
  readonly name: ResourceName;
  readonly singular: string;
  readonly summary: string;
  /** Loads it alone, without the others. */
  readonly load: () => Promise<Resource>;
}

/** Resources with commands of their own name, in the order of reference pages. */
export const resourceNouns: readonly ResourceNoun[] = [
  {
    name: 'accounts',
    singular: 'account',
    summary: 'Customers: names, realms, defaults for all who belong to them, API keys',
    load: async () => (await import('./resources/accounts.ts')).accounts,
  },
  {
    name: 'users',
    singular: 'user',
    summary: 'People: names, passwords, forwarding, voicemail settings',
    load: async () => (await import('./resources/users.ts')).users,
  },
  {
    name: 'groups',
    singular: 'group',
    summary: 'Users and devices that ring together',
    load: async () => (await import('./resources/groups.ts')).groups,
  },
  {
    name: 'callflows',
    singular: 'callflow',
    summary: 'What happens to a call, by the number dialled',
    load: async () => (await import('./resources/callflows.ts')).callflows,
  },
  {
    name: 'metaflows',
    singular: 'metaflow',
    summary: 'What callers can dial during a call',
    load: async () => (await import('./resources/metaflows.ts')).metaflows,
  },
  {
    name: 'menus',
    singular: 'menu',
    summary: 'Menus that callers choose from',
    load: async () => (await import('./resources/menus.ts')).menus,
  },
  {
    name: 'directories',
    singular: 'directory',
    summary: 'Dial by name',
    load: async () => (await import('./resources/directories.ts')).directories,
  },
  {
    name: 'conferences',
    singular: 'conference',
    summary: 'Conference rooms: numbers, PINs, tones',
    load: async () => (await import('./resources/conferences.ts')).conferences,
  },
  {
    name: 'vmboxes',
    singular: 'vmbox',
    summary: 'Voicemail boxes: numbers, PINs, notifications',
    load: async () => (await import('./resources/vmboxes.ts')).vmboxes,
  },
  {
    name: 'faxes',
    singular: 'fax',
    summary: 'Faxes to send, and what became of them',
    load: async () => (await import('./resources/faxes.ts')).faxes,
  },
  {
    name: 'numbers',
    singular: 'number',
    summary: 'Phone numbers: caller names, emergency addresses, where they are',
    load: async () => (await import('./resources/numbers.ts')).numbers,
  },
  {
    name: 'ports',
    singular: 'port',
    summary: 'Requests to port numbers',
    load: async () => (await import('./resources/ports.ts')).ports,
  },
  {
    name: 'contacts',
    singular: 'contact',
    summary: 'The contact list, made from the callflows',
    load: async () => (await import('./resources/contacts.ts')).contacts,
  },
  {
    name: 'selectors',
    singular: 'selector',
    summary: 'Rules that choose resources for calls',
    load: async () => (await import('./resources/selectors.ts')).selectors,
  },
  {
    name: 'services',
    singular: 'service',
    summary: 'Service plans and what differs from them',
    load: async () => (await import('./resources/services.ts')).services,
  },
  {
    name: 'limits',
    singular: 'limit',
    summary: 'Flat-rate trunks and hard limits on calls',
    load: async () => (await import('./resources/limits.ts')).limits,
  },
  {
    name: 'webhooks',
    singular: 'webhook',
    summary: 'Subscriptions to events',
    load: async () => (await import('./resources/webhooks.ts')).webhooks,
  },
  {
    name: 'tokens',
    singular: 'token',
    summary: 'Sign-in, tokens and the secrets that sign them',
    load: async () => (await import('./resources/tokens.ts')).tokens,
  },
  {
    name: 'keys',
    singular: 'key',
    summary: 'Keys that sign tokens',
    load: async () => (await import('./resources/keys.ts')).keys,
  },
];

/** Sections of manifests in their order, by what stands for an object: a local name, its own id, or nothing. */
export const sectionNames = {
  byName: ['accounts', 'users', 'vmboxes', 'menus', 'groups', 'directories', 'conferences', 'callflows', 'ports', 'webhooks', 'apps', 'selectors'],
  byId: ['numbers'],
  once: ['account_settings', 'limits', 'services', 'metaflows', 'selector_rules'],
} as const;
