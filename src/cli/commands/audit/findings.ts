import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { shortId } from '../../../base/wording.ts';
import { webhookFindings } from '../../../contract/webhook-findings.ts';
import { flowsOfAccount, type Section, targetName } from '../../../engine/callflows/flow-set.ts';
import { lint } from '../../../engine/callflows/lint.ts';
import type { Kind, KindName } from '../../../engine/manifest/kinds.ts';
import type { AuditFinding, Severity } from '../../../engine/page/audit-page.ts';
import { findOrphans } from '../orphans/commands.ts';

/** What was read of an account. What could not be read is `undefined`: nothing is said of it. */
export interface Audited {
  readonly sections: readonly Section[];
  readonly registrations: readonly JsonObject[] | undefined;
  readonly legs: readonly JsonObject[] | undefined;
  /** Webhooks whose newest delivery failed, by id, with the reason. */
  readonly failing: ReadonlyMap<string, string> | undefined;
  /** Ids of objects in manifests; `undefined`: nothing of the account stands in one. */
  readonly managed: ReadonlySet<string> | undefined;
  /** The user who is signed in, where one is. */
  readonly ownId: string | undefined;
  /** The service is on this machine, so that addresses there are no mistake. */
  readonly isLocal: boolean;
}

/** Kinds that an audit reads whole. */
export const auditedKinds: readonly KindName[] = [
  ...(['users', 'devices', 'vmboxes', 'callflows', 'metaflows', 'webhooks', 'limits'] as const),
  ...(['menus', 'groups', 'directories', 'conferences', 'account_settings'] as const),
];

/** Finds what is weak, lost or left over in an account, the worst first. */
export function auditFindings(audited: Audited): readonly AuditFinding[] {
  const found = [
    ...ofUsers(audited),
    ...ofDevices(audited),
    ...ofMailboxes(audited),
    ...ofFlows(audited),
    ...ofWebhooks(audited),
    ...ofTrunks(audited),
    ...ofManifests(audited),
  ];
  const order: readonly Severity[] = ['error', 'warning', 'note'];
  return order.flatMap((severity) => found.filter((each) => each.severity === severity));
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');

const recordsOf = ({ sections }: Audited, name: KindName): readonly JsonObject[] =>
  sections.find(({ kind }) => kind.name === name)?.records ?? [];

const nameIn = ({ resource, shape, name }: Kind, record: JsonObject): string =>
  shape === 'one'
    ? name.replaceAll('_', ' ')
    : (targetName(resource.name, record) ?? shortId(textOf(record.id)));

const about = (kind: string, record: JsonObject, name: string) => ({ kind, id: textOf(record.id), name });

/**
 * The administrator who is to stay one, whatever becomes of the others: the one who is signed in, else the first. With
 * each command that is proposed followed, somebody is left who may change the account.
 */
function stayingOf(audited: Audited): string {
  const enabled = recordsOf(audited, 'users').filter(
    (user) => isAdministrator(user) && user.enabled !== false,
  );
  const own = enabled.find(({ id }) => id === audited.ownId);
  return textOf((own ?? enabled[0])?.id);
}

const isAdministrator = ({ priv_level: level }: JsonObject): boolean => level === 'admin';

function ofUsers(audited: Audited): readonly AuditFinding[] {
  const staying = stayingOf(audited);
  return recordsOf(audited, 'users').flatMap((user): readonly AuditFinding[] => {
    const name = textOf(user.username) || [user.first_name, user.last_name].map(textOf).join(' ').trim();
    const at = about('user', user, name || shortId(textOf(user.id)));
    return [
      ...(textOf(user.email) === ''
        ? [
            {
              ...{ ...at, code: 'user-without-email', severity: 'note' as const },
              sentence: 'has no e-mail address: no voicemail, fax or new password can be sent',
              next: `telctl users patch ${at.id} --email ADDRESS`,
            },
          ]
        : []),
      ...(isAdministrator(user) && at.id !== staying
        ? [
            {
              ...{ ...at, code: 'administrator', severity: 'note' as const },
              sentence: 'is an administrator, who may change everything in the account',
              next: `telctl users patch ${at.id} --priv-level user`,
            },
          ]
        : []),
    ];
  });
}

/** Phones that register by themselves; others are numbers or addresses that calls are sent to. */
const registering = new Set(['', 'sip_device', 'softphone', 'smartphone', 'fax', 'ata']);

/** Says what is weak about a password, without it. */
function weakness(password: string, username: string): string | undefined {
  if (password.length < 10) return `has ${password.length} characters`;
  if (username !== '' && password.toLowerCase().includes(username.toLowerCase()))
    return 'holds the user name';
  if (/^\d+$/.test(password)) return 'has digits alone';
  return new Set(password).size < 5 ? 'has few different characters' : undefined;
}

function ofDevices(audited: Audited): readonly AuditFinding[] {
  const { registrations } = audited;
  const registered = new Set(
    (registrations ?? []).flatMap(({ authorizing_id: id, username }) => [textOf(id), textOf(username)]),
  );
  return recordsOf(audited, 'devices').flatMap((device): readonly AuditFinding[] => {
    const at = about('device', device, textOf(device.name) || shortId(textOf(device.id)));
    const username = textOf(valueAt(device, 'sip.username'));
    const password = textOf(valueAt(device, 'sip.password'));
    const weak = password === '' ? undefined : weakness(password, username);
    const isMissing =
      registrations !== undefined &&
      device.enabled !== false &&
      registering.has(textOf(device.device_type)) &&
      !registered.has(at.id) &&
      (username === '' || !registered.has(username));
    return [
      ...(weak === undefined
        ? []
        : [
            {
              ...{ ...at, code: 'weak-sip-password', severity: 'warning' as const },
              sentence: `has a weak SIP password: it ${weak}`,
              next: `telctl devices edit ${at.id}`,
            },
          ]),
      ...(textOf(device.owner_id) === ''
        ? [
            {
              ...{ ...at, code: 'device-without-owner', severity: 'note' as const },
              sentence: 'belongs to nobody',
              next: `telctl devices patch ${at.id} --owner USER`,
            },
          ]
        : []),
      ...(isMissing
        ? [
            {
              ...{ ...at, code: 'device-not-registered', severity: 'note' as const },
              sentence: 'is not registered now: calls do not ring it',
              next: 'telctl devices status',
            },
          ]
        : []),
    ];
  });
}

function ofMailboxes(audited: Audited): readonly AuditFinding[] {
  return recordsOf(audited, 'vmboxes')
    .filter((box) => textOf(box.pin) === '')
    .map((box) => {
      const at = about('vmbox', box, textOf(box.mailbox) || textOf(box.name));
      return {
        ...{ ...at, code: 'mailbox-without-pin', severity: 'warning' as const },
        sentence: 'has no PIN: who can call it can listen to its messages',
        next: `telctl vmboxes edit ${at.id}`,
      };
    });
}

/** Rules of lint by which a call reaches nobody. */
const unreached = new Set([
  'dead-end',
  'empty-flow',
  'loop',
  'missing-object',
  'missing-data',
  'unknown-module',
]);

function ofFlows(audited: Audited): readonly AuditFinding[] {
  const { sections } = audited;
  const listed = sections.find(({ kind }) => kind.name === 'numbers')?.records ?? [];
  const led = new Map(listed.map((record) => [textOf(record.id), textOf(record.used_by)]));
  const linted = lint(flowsOfAccount(sections)).map(
    ({ rule, level, callflow, path, message }): AuditFinding => ({
      code: unreached.has(rule) ? 'callflow-reaches-nobody' : `callflow-${rule}`,
      severity: level,
      ...{ kind: 'callflow', id: callflow.id, name: callflow.name },
      sentence: `${path}: ${message}`,
      next: `telctl callflows lint ${callflow.id}`,
    }),
  );
  const orphans = findOrphans(sections)
    // Lint says the same of callflows.
    .filter(({ kind }) => kind.name !== 'callflows')
    .map(({ problem, kind, id, name, path, missing }): AuditFinding => {
      const at = { kind: kind.resource.singular, id, name };
      if (problem !== 'number without a callflow')
        return {
          ...{ ...at, code: 'reference-to-nothing', severity: 'error' },
          sentence: `${path ?? ''} names a ${missing?.word ?? 'record'} that does not exist`,
          next: `telctl find ${missing?.id ?? id}`,
        };
      return led.get(id) === 'callflow'
        ? {
            ...{ ...at, code: 'number-on-missing-flow', severity: 'error' },
            sentence: 'was given to a callflow that does not exist: calls to it fail',
            next: `telctl find ${id}`,
          }
        : {
            ...{ ...at, code: 'number-idle', severity: 'note' },
            sentence: 'leads nowhere',
            next: `telctl numbers get ${id}`,
          };
    });
  return [...linted, ...orphans];
}

function ofWebhooks(audited: Audited): readonly AuditFinding[] {
  const { failing, isLocal } = audited;
  return recordsOf(audited, 'webhooks').flatMap((webhook): readonly AuditFinding[] => {
    const at = about('webhook', webhook, textOf(webhook.name) || shortId(textOf(webhook.id)));
    const reason =
      webhook.enabled === false && textOf(webhook.disable_reason) !== ''
        ? 'the service turned it off since deliveries failed'
        : failing?.get(at.id);
    return [
      ...(reason === undefined
        ? []
        : [
            {
              ...{ ...at, code: 'webhook-fails', severity: 'error' as const },
              sentence: `fails: ${reason}`,
              next: `telctl webhooks attempts ${at.id}`,
            },
          ]),
      ...webhookFindings(webhook, { isLocal }).map(({ field, message }) => ({
        ...{
          ...at,
          code: field === 'uri' ? 'webhook-address' : 'webhook-data',
          severity: 'warning' as const,
        },
        sentence: message,
        next: `telctl webhooks edit ${at.id}`,
      })),
    ];
  });
}

function ofTrunks(audited: Audited): readonly AuditFinding[] {
  const { sections, legs } = audited;
  const [limits] = recordsOf(audited, 'limits');
  const numbers = sections.find(({ kind }) => kind.name === 'numbers');
  if (limits === undefined) return [];
  const count = (field: string): number => {
    const value = limits[field];
    return typeof value === 'number' ? value : 0;
  };
  const inbound = count('inbound_trunks') + count('twoway_trunks');
  const all = inbound + count('outbound_trunks') + count('burst_trunks');
  const has = numbers?.records.length ?? 0;
  const at = { kind: 'limits', id: '', name: 'limits', next: 'telctl limits get' };
  const found = (code: string, severity: Severity, sentence: string): AuditFinding => ({
    ...{ ...at, code, severity, sentence },
  });
  return [
    ...(has > 0 && inbound === 0 && limits.allow_prepay === false
      ? [
          found(
            'trunks-missing',
            'error',
            `no inbound trunk for ${has} numbers, and no prepaid calls: callers are refused`,
          ),
        ]
      : []),
    ...(numbers && numbers.missing === undefined && has === 0 && all > 0
      ? [found('trunks-unused', 'note', `${all} trunks are paid for, and the account has no number`)]
      : []),
    ...(all > 0 && legs !== undefined && legs.length >= all
      ? [found('trunks-full', 'warning', `${legs.length} legs are up now, on ${all} trunks`)]
      : []),
  ];
}

function ofManifests({ sections, managed }: Audited): readonly AuditFinding[] {
  const objects = sections
    .filter(({ kind }) => kind.shape === 'many' && kind.name !== 'numbers')
    .flatMap(({ kind, records }) => records.filter(isObject).map((record) => ({ kind, record })));
  if (managed === undefined)
    return objects.length === 0
      ? []
      : [
          {
            ...{ code: 'no-manifest', severity: 'note', kind: 'account', id: '', name: 'account' },
            sentence: `none of its ${objects.length} objects stands in a manifest that was applied from here`,
            next: 'telctl export --out account.yaml',
          },
        ];
  return objects
    .filter(({ record }) => !managed.has(textOf(record.id)))
    .map(({ kind, record }) => ({
      ...{
        code: 'in-no-manifest',
        severity: 'note',
        ...about(kind.resource.singular, record, nameIn(kind, record)),
      },
      sentence: 'stands in no manifest',
      next: `telctl export --only ${kind.name}`,
    }));
}
