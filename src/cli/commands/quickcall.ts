import { isObject } from '../../base/json.ts';
import { devices } from '../../contract/resources/devices.ts';
import type { Command, CommandFacts } from '../command/command.ts';
import { type CallArgument, callCommand } from './call-command.ts';
import { operationFor } from './generic/find-named.ts';

/** Makes the command that rings the phones of a device or a user, and then calls a number in their name. */
export function quickcallCommand(
  whose: 'device' | 'user',
  named: CallArgument,
  facts: Pick<CommandFacts, 'path' | 'summary' | 'examples'>,
): Command {
  const verb = `quickcall${whose === 'user' ? '-of-user' : ''}`;
  return callCommand({
    ...facts,
    operation: operationFor(devices, verb),
    given: { noWait: { operation: operationFor(devices, `start-${verb}`) } },
    arguments: { [whose]: named, number: { name: 'NUMBER', doc: 'Number to call' } },
    options: {
      noWait: { flag: 'no-wait', doc: 'Answer at once, without waiting for the phone', into: 'nowhere' },
      seconds: {
        flag: 'seconds',
        value: 'N',
        type: 'integer',
        minimum: 4,
        doc: 'Seconds to wait until somebody takes the phone (default: 30)',
        into: 'query.timeout',
      },
      cidName: {
        flag: 'cid-name',
        value: 'NAME',
        doc: 'Name that the called person sees',
        into: 'query.cid-name',
      },
      cidNumber: {
        flag: 'cid-number',
        value: 'NUMBER',
        doc: 'Number that the called person sees',
        into: 'query.cid-number',
      },
    },
    says: (reply, input) => {
      const call = isObject(reply) && typeof reply.call_id === 'string' ? `, as call ${reply.call_id}` : '';
      return `Rings ${whose} ${input[whose]}, and then calls ${input.number}${call}.`;
    },
  });
}
