import type { FastifyInstance } from 'fastify';
import type { Behaviour } from '../behaviour.ts';
import { Refusal } from '../refusal.ts';
import { hasFileBody } from '../request.ts';
import { isSandboxUrl } from './routes.ts';

/** Returns the JSON part of a multipart body. Returns an empty string if there is none. */
function jsonPart(type: string, body: string): string {
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? [];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`);
  const part = parts.find((each) => /^content-type:\s*application\/json/im.test(each)) ?? '';
  return part.slice(part.search(/\r?\n\r?\n/)).trim();
}

/** Converts a form or a multipart body to JSON. Other types count as an empty body. */
function formAsJson(type: string, body: string): string {
  if (type.startsWith('multipart/')) return jsonPart(type, body);
  return type.startsWith('application/x-www-form-urlencoded')
    ? JSON.stringify(Object.fromEntries(new URLSearchParams(body)))
    : '';
}

/**
 * Keeps bodies as text until the caller is known. At addresses that receive files, bodies are bytes. A missing
 * content type counts as JSON. Refuses (415) other types, unless `otherBodies` ignores them.
 */
export function parseBodies(app: FastifyInstance, otherBodies: Behaviour['requests']['otherBodies']): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? 'application/json';
    const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/i.test(type);
    // An unknown path is refused as such, regardless of the content type.
    const isUnknownPath = request.is404 || (!request.route && !isSandboxUrl(request.originalUrl));
    if (isUnknownPath || /^application\/json\s*(;|$)/i.test(type)) done(null, body.toString());
    else if (!isForm && request.route?.operations.some(hasFileBody)) done(null, body);
    else if (otherBodies === 'ignored') done(null, formAsJson(type, body.toString()));
    else done(new Refusal(415, 'unsupported_media_type', `The content type ${type} is not supported.`));
  });
}
