// Made from the contract by `npm run generate`, for what must not wait for the contract to load.
import type { ResourceName } from './types.ts';

/** A resource that is the first word of its commands. */
export interface ResourceNoun {
  readonly name: ResourceName;
  readonly singular: string;
  readonly summary: string;
}

/** Resources with commands of their own name, in the order of reference pages. */
export const resourceNouns: readonly ResourceNoun[] = [
  { name: 'accounts', singular: 'account', summary: 'Customers: names, realms, defaults for all who belong to them, API keys' },
  { name: 'users', singular: 'user', summary: 'People: names, passwords, forwarding, voicemail settings' },
  { name: 'groups', singular: 'group', summary: 'Users and devices that ring together' },
  { name: 'callflows', singular: 'callflow', summary: 'What happens to a call, by the number dialled' },
  { name: 'metaflows', singular: 'metaflow', summary: 'What callers can dial during a call' },
  { name: 'menus', singular: 'menu', summary: 'Menus that callers choose from' },
  { name: 'directories', singular: 'directory', summary: 'Dial by name' },
  { name: 'conferences', singular: 'conference', summary: 'Conference rooms: numbers, PINs, tones' },
  { name: 'vmboxes', singular: 'vmbox', summary: 'Voicemail boxes: numbers, PINs, notifications' },
  { name: 'faxes', singular: 'fax', summary: 'Faxes to send, and what became of them' },
  { name: 'numbers', singular: 'number', summary: 'Phone numbers: caller names, emergency addresses, where they are' },
  { name: 'ports', singular: 'port', summary: 'Requests to port numbers' },
  { name: 'contacts', singular: 'contact', summary: 'The contact list, made from the callflows' },
  { name: 'selectors', singular: 'selector', summary: 'Rules that choose resources for calls' },
  { name: 'services', singular: 'service', summary: 'Service plans and what differs from them' },
  { name: 'limits', singular: 'limit', summary: 'Flat-rate trunks and hard limits on calls' },
  { name: 'webhooks', singular: 'webhook', summary: 'Subscriptions to events' },
  { name: 'tokens', singular: 'token', summary: 'Sign-in, tokens and the secrets that sign them' },
  { name: 'keys', singular: 'key', summary: 'Keys that sign tokens' },
];

/** Sections of manifests in their order, by what stands for an object: a local name, its own id, or nothing. */
export const sectionNames = {
  byName: ['accounts', 'users', 'vmboxes', 'menus', 'groups', 'directories', 'conferences', 'callflows', 'ports', 'webhooks', 'apps', 'selectors'],
  byId: ['numbers'],
  once: ['account_settings', 'limits', 'services', 'metaflows', 'selector_rules'],
} as const;
