/** Where the service is and whose token is sent, for a client that knows paths alone. */
export const service = { origin: '', token: '' };

/** Sends a request of a generated client. */
export async function send<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (service.token) headers.set('x-auth-token', service.token);
  const reply = await fetch(`${service.origin}/v2${path}`, { ...options, headers });
  // Untyped as what comes over the wire is: the client says what it is.
  return Object.assign(JSON.parse('{}'), { data: await reply.json(), status: reply.status, headers });
}
