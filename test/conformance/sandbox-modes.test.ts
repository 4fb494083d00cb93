import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { smallOffice } from '../support/small-office.ts';
import { openWorld } from '../support/world.ts';

/** What both modes with conventions answer otherwise than the contract says. */
const field = {
  // Nobody set allotments, and only a reseller may, which is told by 400.
  'allotments.get': 'other-shape: 400 without a record',
  'allotments.update': 'failed: refuses the data (400)',
  // Only the reseller of the account that is tried may.
  'services.override': 'failed: not allowed to this sign-in (403)',
  'services.update': 'failed: not allowed to this sign-in (403)',
  // Never set.
  'token_restrictions.get': 'other-shape: 404 without a record',
  'whitelabel.get': 'other-shape: 404 without a record',
};

/** All that the report may find, by mode: what it finds besides, or no longer, is told here. */
const known = {
  // Only the reseller may, as in the conventions; with --like kazoo anybody may, as recorded.
  default: {
    ...field,
    'limits.set': 'failed: not allowed to this sign-in (403)',
    // No rates are loaded.
    'rates.of-number': 'other-shape: 404 without a record',
    'rates.of-number-everywhere': 'other-shape: 404 without a record',
  },
  kazoo: {
    ...field,
    // No rates are loaded, as recorded.
    'rates.of-number': 'other-shape: 500 without a record',
    'rates.of-number-everywhere': 'other-shape: 500 without a record',
    // Modules that the recorded service had not loaded, and a key that PUT rotates instead of POST.
    'access_lists.delete': 'not-offered: 404',
    'access_lists.get': 'not-offered: 404',
    'access_lists.update': 'not-offered: 404',
    'accounts.rotate-api-key': 'not-offered: 405',
    'device_access_lists.get': 'not-offered: 404',
    // Only a user may who is an administrator, and the trial signs in by the API key.
    'accounts.put-api-key': 'failed: not allowed to this sign-in (403)',
    // A part is checked as if it were the whole record, as recorded: commands read the record and send all of it.
    'faxboxes.patch': 'failed: refuses the data (400)',
    // The record has to name its list, although the path does, as recorded: commands patch entries.
    'list_entries.update': 'failed: refuses the data (400)',
    // Never set.
    'selectors.rules': 'other-shape: 404 without a record',
    // No mailer ran beside the recorded service, so that its texts cannot be read.
    'system_notifications.list': 'failed: answers 503',
    // A vCard comes for its own type alone: the command asks for that.
    'users.vcard': 'other-shape: refuses JSON (406)',
  },
  specification: {},
};

test.each(['default', 'kazoo', 'specification'] as const)(
  'conformance reports only listed differences in sandbox mode %s',
  async (name) => {
    const world = await openWorld(name === 'default' ? {} : { like: name });
    // At the letter of the specification a manifest finds too little that it can be applied to.
    if (name !== 'specification') {
      const files = { 'office.yaml': smallOffice };
      const applied = await world.telctl('apply -f office.yaml --yes', { files });
      expect(applied.code, applied.stderr).toBe(0);
    }
    const run = await world.telctl('conformance --write --yes -o json');
    expect(run.code, run.stderr).toBe(0);
    const report: unknown = JSON.parse(run.stdout);
    const rows = isObject(report) && Array.isArray(report.operations) ? report.operations : [];
    expect(rows.length).toBeGreaterThan(300);
    const found = rows.filter(isObject).flatMap(({ id, source, result, note }) => {
      const isLeftOut = name === 'specification' && source !== 'specification';
      const meant = isLeftOut ? 'not-offered' : 'as-documented';
      return result === meant || result === 'not-tried' ? [] : [[String(id), `${result}: ${note}`] as const];
    });
    expect(
      Object.fromEntries(found),
      `Change \`known.${name}\` in test/conformance/sandbox-modes.test.ts if this is meant`,
    ).toEqual(known[name]);
  },
);
