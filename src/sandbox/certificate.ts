import { isAbsolute, join } from 'node:path';
import { Failure } from '../base/failure.ts';
import type { Host } from '../base/host/host.ts';
import type { JsonObject } from '../base/json.ts';
import { systemReason } from '../base/reading.ts';
import { messageOf } from '../base/wording.ts';
import type { OpenSandbox } from './open-sandbox.ts';
import type { RunningState } from './running.ts';
import type { Tls } from './server.ts';

/** Time between two looks at the certificate, in milliseconds. */
const renewalMs = 2000;

/** The text of a file that an option names. Throws `Failure` (`usage`) where it cannot be read. */
export function fileText({ files, cwd }: Host, option: string, path: string): string {
  const where = isAbsolute(path) ? path : join(cwd, path);
  try {
    const text = files.readText(where)?.text;
    if (text !== undefined) return text;
  } catch (error) {
    throw new Failure(
      'usage',
      `${option}: ${path} cannot be read (${systemReason(error) ?? messageOf(error)}).`,
      {
        cause: error,
      },
    );
  }
  throw new Failure('usage', `${option}: there is no file ${path}.`);
}

/** The certificate and the key in these files. Throws `Failure` (`usage`) where they cannot be read. */
export const tlsIn = (host: Host, files: NonNullable<RunningState['tls']>): Tls => ({
  cert: fileText(host, '--tls-cert', files.cert),
  key: fileText(host, '--tls-key', files.key),
});

/**
 * Looks from time to time whether the certificate was renewed, and takes the new one; a pair that does not fit, or is half
 * written, is looked at again. Returns what ends this.
 */
export function renewing(
  host: Host,
  sandbox: OpenSandbox,
  { tls, files }: { readonly tls: Tls | undefined; readonly files: RunningState['tls'] },
  tell: (event: 'certificate_renewed' | 'certificate_refused', facts: JsonObject, pair: Tls) => void,
): () => void {
  if (tls === undefined || files === undefined) return () => undefined;
  let known: Tls = tls;
  let refused: string | undefined;
  let stop = (): void => undefined;
  const look = (): void => {
    let now = known;
    try {
      now = tlsIn(host, files);
      if (now.cert !== known.cert || now.key !== known.key) {
        sandbox.renew(now);
        tell('certificate_renewed', {}, now);
        refused = undefined;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.message !== refused) tell('certificate_refused', { why: error.message }, known);
      refused = error.message;
    }
    known = now;
    stop = host.timers.later(renewalMs, look);
  };
  stop = host.timers.later(renewalMs, look);
  return () => stop();
}
