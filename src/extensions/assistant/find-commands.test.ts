import { expect, test } from 'vitest';
import { objectsIn } from '../../base/json.ts';
import { matchingCommands } from './find-commands.ts';
import { toolsFor } from './tools.ts';

const allowed = { writes: true, deletes: true };
const all = await (await toolsFor(allowed)).runCommand();

/** Jobs that people ask an assistant for, and the command that has to be among the four that are told whole. */
test.each([
  ['make a new phone', 'devices create'],
  ['mailbox', 'vmboxes list'],
  ['office hours', 'temporal-rules list'],
  ['ring group', 'groups list'],
  ['call records', 'cdrs list'],
  ['blacklist', 'blacklists list'],
  ['forward calls of a user', 'users patch'],
  ['turn on call forwarding for bob', 'users patch'],
  ['reset the password of a user', 'users password'],
  ['who is on the phone right now', 'channels list'],
  ['hang up a call', 'channels hangup'],
  ['transfer a live call', 'channels transfer'],
  ['calls missed yesterday', 'cdrs report'],
  ['how many calls per hour', 'cdrs report'],
  ['call history of a number', 'cdrs list'],
  ['play a call recording', 'recordings download'],
  ['listen to a voicemail message', 'vmboxes messages get'],
  ['unread voicemail', 'vmboxes messages list'],
  ['new employee', 'users onboard'],
  ['employee leaves the company', 'users offboard'],
  ['import users from a spreadsheet', 'users import'],
  ['buy a phone number', 'numbers buy'],
  ['find a free number in area 212', 'numbers search'],
  ['move a number from another provider', 'ports create'],
  ['set up a phone', 'devices provision'],
  ['which phones are registered', 'registrations list'],
  ['why is a phone offline', 'registrations list'],
  ['change music on hold', 'media list'],
  ['upload a greeting', 'media upload'],
  ['holiday schedule', 'temporal-rules create'],
  ['is the office open now', 'temporal-rules check'],
  ['where does a call to 2001 go', 'callflows trace'],
  ['block a caller', 'blacklists create'],
  ['pause a queue agent', 'agents pause'],
  ['kick a participant out of a conference', 'conferences participants update'],
  ['balance of an account', 'ledgers total'],
  ['create a customer account', 'accounts create'],
  ['undo the last change', 'undo'],
  ['who changed this', 'log'],
  ['why does a webhook fail', 'webhooks attempts'],
  ['send a fax', 'faxes create'],
  ['second factor for administrators', 'multi-factor list'],
  ['allow a user international calls', 'users patch'],
  ['what is wrong with this account', 'audit'],
  ['backup an account', 'export'],
  ['delete an old device', 'devices delete'],
  ['rename an account', 'accounts patch'],
  ['restart a phone', 'devices sync'],
  ['calls that wait in a queue', 'queues stats'],
  ['do not disturb', 'users patch'],
  ['add an extension', 'callflows create'],
  ['price of a number', 'rates number'],
  ['copy a callflow to another account', 'callflows copy'],
  ['change the caller id of a user', 'users patch'],
  ['sign out everybody', 'tokens revoke-all'],
  ['test a call before it goes live', 'sandbox call'],
])('find_commands finds for %s the command %s', (words, expected) => {
  const found = objectsIn(matchingCommands(all, words, allowed).commands).map(({ command }) => command);
  expect(found.slice(0, 4), found.join(', ')).toContain(expected);
});

test('a search with only filler words finds nothing', () => {
  expect(matchingCommands(all, 'how do I do it', allowed)).toEqual({ commands: [] });
  expect(matchingCommands(all, 'xyzzy', allowed)).toEqual({ commands: [] });
});
