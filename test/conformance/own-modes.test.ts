import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { smallOffice } from '../support/small-office.ts';
import { openWorld } from '../support/world.ts';

/** What both modes with conventions answer otherwise than the contract says. */
const field = {
  // No rates are loaded, and nobody set allotments.
  'allotments.get': 'failed: refuses what was sent (400)',
  'allotments.update': 'failed: refuses what was sent (400)',
  'rates.of-number': 'failed: answers 500',
  'rates.of-number-everywhere': 'failed: answers 500',
  // The administrator of the account that is tried may not.
  'services.override': 'failed: not allowed to this sign-in (403)',
  'services.update': 'failed: not allowed to this sign-in (403)',
  'store_apps.blacklist': 'failed: not allowed to this sign-in (403)',
  // Never set.
  'token_restrictions.get': 'other-shape: 404 while there is nothing',
  'whitelabel.get': 'other-shape: 404 while there is nothing',
  'conferences.act': 'other-shape: data is a text',
  'queues.clear-roster': 'other-shape: an envelope without data',
};

/** All that the report may find, by mode: what it finds besides, or no longer, is told here. */
const known = {
  default: { ...field, 'limits.set': 'failed: not allowed to this sign-in (403)' },
  kazoo: {
    ...field,
    // Left out by this mode.
    'access_lists.delete': 'not-offered: 404',
    'access_lists.get': 'not-offered: 404',
    'access_lists.update': 'not-offered: 404',
    'accounts.rotate-api-key': 'not-offered: 405',
    'device_access_lists.get': 'not-offered: 404',
    // Otherwise than in the default mode.
    'accounts.put-api-key': 'failed: not allowed to this sign-in (403)',
    'callflows.list': 'other-shape: featurecode must be an object',
    'faxboxes.patch': 'failed: refuses what was sent (400)',
    'list_entries.update': 'failed: refuses what was sent (400)',
    'ports.timeline': 'other-shape: data is a list',
    'selectors.rules': 'other-shape: 404 while there is nothing',
    'system_notifications.list': 'failed: answers 503',
    'tokens.reset-account-secret': 'other-shape: an envelope without data',
    'tokens.reset-user-secret': 'other-shape: an envelope without data',
    'users.vcard': 'other-shape: refuses JSON (406)',
  },
  specification: {},
};

test.each(['default', 'kazoo', 'specification'] as const)(
  'conformance finds nothing in the mode %s of the sandbox but what is listed',
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
    expect(Object.fromEntries(found)).toEqual(known[name]);
  },
);
