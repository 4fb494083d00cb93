import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { smallOffice } from '../support/small-office.ts';
import { openWorld } from '../support/world.ts';

/** Differences from the contract in both conventional modes. */
const field = {
  // Allotments are unset, and only a reseller may set them. The response is 400.
  'allotments.get': 'other-shape: 400 without a record',
  'allotments.update': 'failed: refuses the data (400)',
  // Only the reseller of the account may change overrides.
  'services.override': 'failed: not allowed to this sign-in (403)',
  'services.update': 'failed: not allowed to this sign-in (403)',
  'token_restrictions.get': 'other-shape: 404 without a record',
  'whitelabel.get': 'other-shape: 404 without a record',
};

/** Expected findings of the report by mode. */
const known = {
  // Only the reseller may do this by convention. KAZOO allows everybody (recorded).
  default: {
    ...field,
    'limits.set': 'failed: not allowed to this sign-in (403)',
    'rates.of-number': 'other-shape: 404 without a record',
    'rates.of-number-everywhere': 'other-shape: 404 without a record',
  },
  kazoo: {
    ...field,
    // No rates are loaded (recorded).
    'rates.of-number': 'other-shape: 500 without a record',
    'rates.of-number-everywhere': 'other-shape: 500 without a record',
    // Modules that were not loaded in the recorded service, and an API key that PUT rotates instead of POST.
    'access_lists.delete': 'not-offered: 404',
    'access_lists.get': 'not-offered: 404',
    'access_lists.update': 'not-offered: 404',
    'accounts.rotate-api-key': 'not-offered: 405',
    'device_access_lists.get': 'not-offered: 404',
    // Only a user with administrator rights may do this, but the test signs in with the API key.
    'accounts.put-api-key': 'failed: not allowed to this sign-in (403)',
    // A patch is validated like a complete record (recorded), so commands send complete records.
    'faxboxes.patch': 'failed: refuses the data (400)',
    // The record must name its list although the path does (recorded), so commands patch entries.
    'list_entries.update': 'failed: refuses the data (400)',
    'selectors.rules': 'other-shape: 404 without a record',
    // The recorded service had no mailer, so its texts cannot be read.
    'system_notifications.list': 'failed: answers 503',
    // A vCard is only returned for its own content type, which the command requests.
    'users.vcard': 'other-shape: refuses JSON (406)',
  },
  specification: {},
};

test.each(['default', 'kazoo', 'specification'] as const)(
  'conformance reports only listed differences in sandbox mode %s',
  async (name) => {
    const world = await openWorld(name === 'default' ? {} : { like: name });
    // With only the documented operations, there is too little to apply a manifest.
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
