// A receiver of deliveries that counts them by path, and keeps nothing of them.
import { createServer } from 'node:http';

const counts = new Map();
createServer((request, response) => {
  if (request.url === '/counts') return response.end(JSON.stringify(Object.fromEntries(counts)));
  counts.set(request.url, (counts.get(request.url) ?? 0) + 1);
  request.resume().on('end', () => response.end('noted'));
}).listen(0, '127.0.0.1', function listening() {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
