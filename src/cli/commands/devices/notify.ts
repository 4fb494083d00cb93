import { devices } from '../../../contract/resources/devices.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import type { deviceArguments, notifyOptions } from './commands.ts';

export async function notifyDevice(
  {
    device,
    event = 'check-sync',
    contentType,
    bodyFile,
  }: InputOf<typeof notifyOptions, typeof deviceArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, devices, device);
  const text = bodyFile === undefined ? undefined : (await readInput(context.host, bodyFile)).text;
  const body = text === undefined ? {} : { body: { content_type: contentType ?? 'text/plain', data: text } };
  return act(context, {
    call: {
      operation: operationFor(devices, 'notify'),
      path: pathTo(devices, id),
      data: { data: { event, ...body } },
    },
    message: () => `Sent NOTIFY ${event} to device ${device}.`,
  });
}
