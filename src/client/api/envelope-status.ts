import { isObject } from '../../base/json.ts';

/** Some services and gateways use these statuses for any envelope. */
const isVague = (status: number): boolean => (status >= 200 && status < 300) || status === 400;

/**
 * Combines the statuses of HTTP and the envelope. An envelope with `status: error` turns any success into an error
 * with the code of its `error`. Charges (402) take precedence over any HTTP error (Errors, error envelope).
 */
export function combinedStatus(http: number, text: string): number {
  if (!(isVague(http) || http >= 400) || !/"status"\s*:\s*"error"/.test(text)) return http;
  const said = errorCode(text);
  if (said === undefined) return http;
  return isVague(http) || said === 402 ? said : http;
}

/** Returns a code from 400 to 599, or 400 if the error envelope has none. Returns `undefined` for other text. */
function errorCode(text: string): number | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || body.status !== 'error') return undefined;
    return /^[45]\d\d$/.test(String(body.error)) ? Number(body.error) : 400;
  } catch {
    // Text that is not JSON has no envelope.
    return undefined;
  }
}
