import { describe, expect, it } from 'vitest';
import { resourceByName } from './catalogue.ts';
import { masked, maskUrl, redact } from './secrets.ts';

describe('redact', () => {
  it('masks secrets at any depth', () => {
    const { schema } = resourceByName('callflows');
    const flow = { module: 'menu', children: { _: { module: 'disa', data: { pin: '4711', retries: 3 } } } };
    expect(redact(schema, { name: 'Main', flow })).toEqual({
      name: 'Main',
      flow: { module: 'menu', children: { _: { module: 'disa', data: { pin: masked, retries: 3 } } } },
    });
  });

  it('shows empty secrets and leaves unknown keys unchanged', () => {
    const { schema } = resourceByName('vmboxes');
    expect(redact(schema, { pin: '', mailbox: '100', other: [1, 'x'] })).toEqual({
      pin: '',
      mailbox: '100',
      other: [1, 'x'],
    });
  });

  it('masks the query and the custom data of a webhook', () => {
    const { schema } = resourceByName('webhooks');
    expect(redact(schema, { uri: 'https://crm.example/in?token=x', custom_data: { key: 'x' } })).toEqual({
      uri: `https://crm.example/in?${masked}`,
      custom_data: masked,
    });
  });
});

describe('maskedUrl', () => {
  it.each([
    ['https://crm.example/hook', 'https://crm.example/hook'],
    ['https://me:pw@crm.example:8443/hook', `https://${masked}@crm.example:8443/hook`],
    ['https://me:p@w@crm.example/', `https://${masked}@crm.example/`],
    ['http://crm.example/?a=b#c', `http://crm.example/?${masked}#${masked}`],
    ['no address', masked],
    ['', ''],
  ])('shows %j as %j', (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
  });
});
