import { nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { suggestAllowed } from '../../../base/nearest.ts';
import { formatCount, shortId } from '../../../base/wording.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import { timeFindings } from '../../../contract/time-findings.ts';
import { createValidator } from '../../../contract/validate.ts';
import { webhookFindings } from '../../../contract/webhook-findings.ts';
import { isRefusedWord, wordFindings } from '../../../contract/word-findings.ts';
import { flowsOfAccount, kindLabel } from '../../../engine/callflows/flow-set.ts';
import type { AuditFinding, Severity } from '../../../engine/html/audit-page.ts';
import type { Kind, KindName } from '../../../engine/manifest/kinds.ts';
import type { ExtensionParts } from '../extension.ts';
import { findOrphans, type Orphan } from '../orphans/commands.ts';
import { type Audited, auditedRecords, deriveFacts, type Facts, trimmedText } from './facts.ts';
import { type Rule, ruleSentence, rules } from './rules.ts';

export const auditedKinds: readonly KindName[] = [
  ...(['users', 'devices', 'vmboxes', 'callflows', 'metaflows', 'webhooks', 'limits'] as const),
  ...([
    'menus',
    'groups',
    'directories',
    'conferences',
    'account_settings',
    'temporal_rules',
    'temporal_rules_sets',
    'blacklists',
  ] as const),
];

type Lint = Awaited<ReturnType<ExtensionParts['lint']>>;

/** Sorted, highest first. */
export const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Returns the findings of an account, highest severity first. */
export function auditFindings(lint: Lint, audited: Audited): readonly AuditFinding[] {
  const facts = deriveFacts(audited);
  const found = [
    ...rules.flatMap((rule) => auditRule(rule, facts)),
    ...auditFlows(lint, audited),
    ...auditWebhooks(audited),
    ...auditNumbers(audited),
    ...auditValues(audited),
    ...auditTrunks(audited),
    ...auditManifests(audited),
  ];
  return severities.flatMap((severity) => found.filter((each) => each.severity === severity));
}

const subjectOf = (kind: string, record: JsonObject, name: string) => ({
  kind,
  id: trimmedText(record.id),
  name,
});

function auditedName(kind: Kind, record: JsonObject): string {
  const own = trimmedText(
    kind.name === 'users' ? record.username : kind.name === 'vmboxes' ? record.mailbox : '',
  );
  return own || kindLabel(kind, record);
}

function auditRule(rule: Rule, facts: Facts): readonly AuditFinding[] {
  const { code, severity, kind: name } = rule;
  const section = facts.sections.find(({ kind }) => kind.name === name);
  if (!section) return [];
  return section.records.flatMap((record): readonly AuditFinding[] => {
    const sentence = ruleSentence(rule, record, facts);
    if (sentence === undefined) return [];
    const at = subjectOf(section.kind.resource.singular, record, auditedName(section.kind, record));
    const words = commandWordsOf(section.kind.resource);
    return [
      { ...at, code, severity, sentence, next: rule.next?.(at.id) ?? nextStep`${words} edit ${at.id}` },
    ];
  });
}

function auditNumbers(audited: Audited): readonly AuditFinding[] {
  const listed = auditedRecords(audited, 'numbers');
  const hasFeature = (record: JsonObject, word: string): boolean => {
    const { features } = record;
    return Array.isArray(features) && features.includes(word);
  };
  // A service that does not show features does not show addresses.
  if (!listed.some(({ features }) => Array.isArray(features))) return [];
  return listed
    .filter((record) => trimmedText(record.used_by) === 'callflow' && !hasFeature(record, 'e911'))
    .map((record) => ({
      code: 'number-without-emergency-address',
      severity: 'note' as const,
      ...subjectOf('number', record, trimmedText(record.id)),
      sentence: 'has no emergency address: responders do not know the location of the caller',
      next: nextStep`numbers get ${trimmedText(record.id)}`,
    }));
}

const unreached = new Set([
  'dead-end',
  'empty-flow',
  'loop',
  'missing-object',
  'missing-data',
  'unknown-module',
]);

function auditFlows(lint: Lint, audited: Audited): readonly AuditFinding[] {
  const { sections } = audited;
  const numbers = auditedRecords(audited, 'numbers');
  const usedBy = new Map(numbers.map((record) => [trimmedText(record.id), trimmedText(record.used_by)]));
  // Other audit rules report these problems for the users.
  const linted = lint(flowsOfAccount(sections, audited), new Set(['not-reached', 'bad-rule']));
  return [
    ...linted.map(lintFinding),
    ...findOrphans(sections)
      // Lint reports these problems of callflows.
      .filter(({ kind }) => kind.name !== 'callflows')
      .map((orphan) => orphanFinding(orphan, usedBy.get(orphan.id))),
  ];
}

function lintFinding({ rule, level, callflow, path, message }: ReturnType<Lint>[number]): AuditFinding {
  const { id, name } = callflow;
  if (callflow.resource === undefined || callflow.resource === 'callflows')
    return {
      code: unreached.has(rule) ? 'callflow-reaches-nobody' : `callflow-${rule}`,
      severity: level,
      kind: 'callflow',
      id,
      name,
      sentence: `${path}: ${message}`,
      next: nextStep`callflows lint ${id}`,
    };
  const resource = resourceByName(callflow.resource);
  const isOne = resource.kind === 'singleton';
  const words = commandWordsOf(resource);
  return {
    code: rule,
    severity: level,
    kind: resource.singular,
    id: isOne ? '' : id,
    name,
    sentence: message,
    next: isOne || id === '' ? nextStep`${words} get` : nextStep`${words} get ${id}`,
  };
}

function orphanFinding(orphan: Orphan, numberUsedBy: string | undefined): AuditFinding {
  const { problem, kind, id, name, path, missing } = orphan;
  const at = { kind: kind.resource.singular, id, name };
  if (problem !== 'number without a callflow')
    return {
      ...at,
      code: 'reference-to-nothing',
      severity: 'error',
      sentence: `${path ?? ''} refers to a ${missing?.word ?? 'record'} that does not exist`,
      next: nextStep`find ${missing?.id ?? id}`,
    };
  return numberUsedBy === 'callflow'
    ? {
        ...at,
        code: 'number-on-missing-flow',
        severity: 'error',
        sentence: 'is assigned to a callflow that does not exist: calls to it fail',
        next: nextStep`find ${id}`,
      }
    : {
        ...at,
        code: 'number-idle',
        severity: 'note',
        sentence: 'has no destination',
        next: nextStep`numbers get ${id}`,
      };
}

function auditWebhooks(audited: Audited): readonly AuditFinding[] {
  const { failing, isLocal } = audited;
  return auditedRecords(audited, 'webhooks').flatMap((webhook): readonly AuditFinding[] => {
    const at = subjectOf('webhook', webhook, trimmedText(webhook.name) || shortId(trimmedText(webhook.id)));
    const reason =
      webhook.enabled === false && trimmedText(webhook.disable_reason) !== ''
        ? 'the service disabled it because deliveries failed'
        : failing?.get(at.id);
    return [
      ...(reason === undefined
        ? []
        : [
            {
              ...at,
              code: 'webhook-fails',
              severity: 'error' as const,
              sentence: `fails: ${reason}`,
              next: nextStep`webhooks attempts ${at.id}`,
            },
          ]),
      ...webhookFindings(webhook, { isLocal }).map(({ field, message }) => ({
        ...at,
        code: field === 'uri' ? 'webhook-address' : 'webhook-data',
        severity: 'warning' as const,
        sentence: message,
        next: nextStep`webhooks edit ${at.id}`,
      })),
    ];
  });
}

/** Finds values that services refuse or ignore, and unknown keys. Lint checks the flows. */
function auditValues({ sections, classes }: Audited): readonly AuditFinding[] {
  return sections
    .filter(({ kind }) => kind.name !== 'callflows' && kind.name !== 'metaflows')
    .flatMap(({ kind, records }) => {
      const check = createValidator(kind.schema, 'conventions', { partial: true });
      return records.flatMap((record): readonly AuditFinding[] => {
        const { id } = record;
        const next = nextStep`${commandWordsOf(kind.resource)} edit ${trimmedText(id)}`;
        const at = { ...subjectOf(kind.resource.singular, record, auditedName(kind, record)), next };
        const refused = check(record).filter((problem) => isRefusedWord(kind.schema, problem));
        const unknown = wordFindings(kind.schema, record).filter(
          ({ unknownClass }) =>
            unknownClass === undefined || classes?.some(({ name }) => name === unknownClass.name) !== true,
        );
        return [
          ...refused.map(({ path, message, rule, target, value }) => ({
            ...at,
            code: 'refused-word',
            severity: 'error' as const,
            sentence: `"${path}" ${message}${suggestAllowed({ rule, target, value })}; it has no effect`,
          })),
          ...unknown.map(({ message }) => ({
            ...at,
            code: 'unknown-word',
            severity: 'warning' as const,
            sentence: message,
          })),
          ...timeFindings(kind.schema, record).map(({ message }) => ({
            ...at,
            code: 'misread-time',
            severity: 'warning' as const,
            sentence: message,
          })),
        ];
      });
    });
}

function auditTrunks(audited: Audited): readonly AuditFinding[] {
  const { sections, legs } = audited;
  const [limits] = auditedRecords(audited, 'limits');
  const numbers = sections.find(({ kind }) => kind.name === 'numbers');
  if (limits === undefined) return [];
  const count = (field: string): number => {
    const value = limits[field];
    return typeof value === 'number' ? value : 0;
  };
  const inbound = count('inbound_trunks') + count('twoway_trunks');
  const all = inbound + count('outbound_trunks') + count('burst_trunks');
  const has = numbers?.records.length ?? 0;
  const at = { kind: 'limits', id: '', name: 'limits', next: nextStep`limits get` };
  const found = (
    isSo: boolean,
    code: string,
    severity: Severity,
    sentence: string,
  ): readonly AuditFinding[] => (isSo ? [{ ...at, code, severity, sentence }] : []);
  const isRefused = has > 0 && inbound === 0 && limits.allow_prepay === false;
  const isUnused = numbers !== undefined && numbers.missing === undefined && has === 0 && all > 0;
  const up = legs?.length ?? 0;
  const missing = `no inbound trunk for ${formatCount(has, 'number')}, and no prepaid calls: callers are refused`;
  const unused = `the account pays for ${all} trunks and has no number`;
  return [
    ...found(isRefused, 'trunks-missing', 'error', missing),
    ...found(isUnused, 'trunks-unused', 'note', unused),
    ...found(all > 0 && up >= all, 'trunks-full', 'warning', `${up} legs are active on ${all} trunks`),
  ];
}

function auditManifests({ sections, managed }: Audited): readonly AuditFinding[] {
  const objects = sections
    .filter(({ kind }) => kind.shape === 'many' && kind.name !== 'numbers')
    .flatMap(({ kind, records }) => records.filter(isObject).map((record) => ({ kind, record })));
  if (managed === undefined)
    return objects.length === 0
      ? []
      : [
          {
            code: 'no-manifest',
            severity: 'note',
            kind: 'account',
            id: '',
            name: 'account',
            sentence: `none of its ${objects.length} objects is in a manifest that was applied from here`,
            next: nextStep`export --out account.yaml`,
          },
        ];
  return objects
    .filter(({ record }) => !managed.has(trimmedText(record.id)))
    .map(({ kind, record }) => ({
      code: 'in-no-manifest',
      severity: 'note',
      ...subjectOf(kind.resource.singular, record, kindLabel(kind, record)),
      sentence: 'is not in a manifest',
      next: nextStep`export --only ${kind.name}`,
    }));
}
