import { describe, expect, it } from 'vitest';
import { nearest } from '../base/nearest.ts';
import { resourceByName } from './catalogue.ts';
import { unknownKeys } from './unknown-keys.ts';

const { schema: user } = resourceByName('users');

describe('unknownKeys', () => {
  it('names the known field that was meant, at any depth', () => {
    expect(
      unknownKeys(user, {
        frist_name: 'A',
        call_forward: { enable: true },
        profile: { addresses: [{ adress: '' }] },
      }),
    ).toEqual([
      { path: 'frist_name', nearest: 'first_name' },
      { path: 'call_forward.enable', nearest: 'call_forward.enabled' },
      { path: 'profile.addresses.0.adress', nearest: 'profile.addresses.0.address' },
    ]);
  });

  it('suggests nothing where nothing is near', () => {
    expect(unknownKeys(user, { zzz: 1 })).toEqual([{ path: 'zzz' }]);
  });

  it('is not fooled by the names of built-in properties', () => {
    expect(unknownKeys(user, JSON.parse('{"__proto__x": 1, "constructor": 1, "toString": 1}'))).toEqual([
      { path: 'constructor' },
      { path: 'toString' },
    ]);
  });

  it('lets pass what get shows, free objects and flows', () => {
    expect(
      unknownKeys(user, { id: 'x', _read_only: {}, directories: { a: 'b' }, hotdesk: { any: 1 } }),
    ).toEqual([]);
    expect(
      unknownKeys(resourceByName('callflows').schema, {
        flow: { module: 'menu', data: { id: 'x', any: { thing: 1 } }, children: { _: { modul: 'user' } } },
      }),
    ).toEqual([{ path: 'flow.children._.modul', nearest: 'flow.children._.module' }]);
  });
});

describe('nearest', () => {
  const words = ['users', 'callflows', 'first_name', 'limits', 'links'];

  it.each([
    ['usr', 'users'],
    ['user', 'users'],
    ['firstName', 'first_name'],
    ['first-nmae', 'first_name'],
    ['callflow', 'callflows'],
    ['lmits', 'limits'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearest(typed, words)).toBe(meant);
  });

  it.each(['x', '', 'telephone', 'apply'])('takes %j for nothing', (typed) => {
    expect(nearest(typed, words)).toBeUndefined();
  });
});
