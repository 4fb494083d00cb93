import { exitCodes } from '../contract/failure.ts';
import type { Host } from '../host/host.ts';
import type { Settings } from '../session/settings.ts';
import { shortIds } from '../terminal/cells.ts';
import type { Output } from '../terminal/output.ts';
import { render } from '../terminal/render.ts';
import { isColoured, styleFor } from '../terminal/style.ts';
import type { ParsedLine } from './parse-line.ts';
import type { Parts } from './parts.ts';
import { runOptionsOf } from './run-options.ts';
import { createServices } from './services.ts';

type RunLine = Extract<ParsedLine, { kind: 'run' }>;

/** Runs a parsed command: settings, guard, handler, rendering. Returns the exit code; throws `Failure`. */
export async function runCommand(line: RunLine, host: Host, _parts: Parts, out: Output): Promise<number> {
  const settings = {
    output: { value: line.global.output ?? 'table' },
    noInput: { value: host.stdin.isTTY !== true || host.stderr.isTTY !== true },
    color: { value: line.global.color ?? 'auto' },
  } as unknown as Settings;
  const options = runOptionsOf(line.global);
  const styleOf = (isTerminal: boolean) => styleFor(isColoured(settings.color.value, host.env, isTerminal));
  const services = createServices({
    host,
    settings,
    options,
    style: await styleOf(host.stderr.isTTY === true),
  });
  try {
    const handler = await line.command.load();
    const result = await handler(line.input, services);
    await render(result, {
      format: settings.output.value,
      fields: options.fields,
      query: options.query,
      reveal: options.reveal,
      out,
      style: await styleOf(out.terminal),
      say: (text) => services.notices.say(host.stderr.isTTY ? shortIds(text) : text),
    });
    return result.exit === undefined ? 0 : exitCodes[result.exit];
  } finally {
    await services.close();
  }
}
