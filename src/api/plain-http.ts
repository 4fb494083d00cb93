import { Failure } from '../base/failure.ts';

/** Tells whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Refuses plain http to another machine, where passwords and tokens could be read on the way, unless it is allowed. */
export function refusePlainHttp(base: URL, allowed: boolean): void {
  if (base.protocol === 'https:' || allowed || isLoopback(base.hostname)) return;
  throw new Failure(
    'refused',
    `${base.origin} is plain http: passwords and tokens could be read on the way.`,
    {
      hint: `Use https://${base.host}, or give --allow-http if the network is safe.`,
    },
  );
}
