import type { Command } from '../../command/command.ts';
import { defineCommand } from '../../command/command.ts';
import { services } from '../../contract/resources/services.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-record.ts';
import { bodyOptions } from '../generic/input-options.ts';

/** Arguments that name a plan. */
export const planArguments = { plan: { name: 'PLAN', doc: 'Id of the plan' } } as const;

const overrides = defineCommand({
  path: ['services', 'overrides'],
  summary: 'Show what differs from the plans',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl services overrides -o yaml', doc: 'By category and item' }],
  operations: ['services.overrides'],
  load: async () => (await import('./services.ts')).showOverrides,
});

/** Writes that take a body of their own and answer with nothing, or with the plans. */
const update: Command = {
  path: ['services', 'update'],
  summary: 'Change the plans of an account',
  arguments: {},
  get options() {
    return bodyOptions(services, operationFor(services, 'update'));
  },
  effect: 'write',
  examples: [{ line: `telctl services update --set-json add='["plan-a"]'`, doc: 'Add a plan' }],
  operations: ['services.update'],
  load: async () => (await import('./services.ts')).updateServices,
};

const override: Command = {
  path: ['services', 'override'],
  summary: 'Set what differs from the plans',
  arguments: {},
  get options() {
    return bodyOptions(services, operationFor(services, 'override'));
  },
  effect: 'write',
  examples: [
    { line: 'telctl services override -f overrides.yaml', doc: 'Rates and discounts by category and item' },
  ],
  operations: ['services.override'],
  load: async () => (await import('./services.ts')).overrideServices,
};

const assign: Command = {
  path: ['services', 'assign'],
  summary: 'Assign a plan to an account',
  arguments: planArguments,
  get options() {
    return {
      vendorId: {
        flag: 'vendor-id',
        value: 'ID',
        doc: 'Account whose plan it is',
        completes: { resource: 'accounts' as const },
      },
      ...bodyOptions(services, operationFor(services, 'assign')),
    };
  },
  effect: 'write',
  examples: [{ line: 'telctl services assign plan-a', doc: 'As the reseller sells it' }],
  operations: ['services.assign'],
  load: async () => (await import('./services.ts')).assignPlan,
};

const unassign = defineCommand({
  path: ['services', 'unassign'],
  summary: 'Take a plan from an account',
  arguments: planArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl services unassign plan-a', doc: 'Asks first' }],
  operations: ['services.unassign'],
  load: async () => (await import('./services.ts')).unassignPlan,
});

/** Everything under `telctl services`. */
export const servicesCommands: readonly Command[] = [
  ...genericCommands(services, ['services'], ['update']),
  update,
  overrides,
  override,
  assign,
  unassign,
];
