// A route that returns the same bytes each time: what the web framework costs without any service behind it.
import fastify from 'fastify';

const app = fastify();
const bytes = Buffer.from(process.env.BENCH_BYTES, 'base64');
app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
