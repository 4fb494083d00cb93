// A service that lists so many call records, in pages of 50 unless asked for others, and does as little for that as it
// can.
import { createServer } from 'node:http';

const total = Number(process.env.BENCH_RECORDS);
const pageSize = 50;
const record = {
  ...{ id: 'ID', call_id: 'ID', caller_id_number: '1001', caller_id_name: 'Anna Berg' },
  ...{ callee_id_number: '1002', callee_id_name: 'Ben, Sales', duration_seconds: 48, billing_seconds: 42 },
  ...{ timestamp: '63900000000', hangup_cause: 'NORMAL_CLEARING', other_leg_call_id: 'OTHER' },
  ...{ owner_id: 'a'.repeat(32), to: '1002@acme.sip.example', from: '1001@acme.sip.example' },
  ...{ direction: 'inbound', request: '1002@acme.sip.example', authorizing_id: 'b'.repeat(32), cost: '0' },
  ...{ dialed_number: '1002', calling_from: '1001', datetime: '2024-11-28 08:00:00' },
  ...{ unix_timestamp: '1732780800', unix_timestamp_micro: '1732780800000000', iso_8601: '2024-11-28' },
  ...{ rfc_1036: 'Thu, 28 Nov 2024 08:00:00 GMT', iso_8601_combined: '2024-11-28T08:00:00Z', call_type: '' },
  ...{ rate: '', rate_name: '', bridge_id: 'ID', recording_url: '', media_recordings: [], media_server: 's' },
  ...{ call_priority: '', interaction_id: '63900000000-1a2b3c4d' },
};
const parts = JSON.stringify(record).split('ID');
const reply = (response, text) => {
  response.setHeader('content-type', 'application/json');
  response.end(text);
};

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  if (!pathname.endsWith('/cdrs')) return reply(response, '{"data":{},"status":"success"}');
  const from = Number(searchParams.get('start_key') ?? 0);
  const to = Math.min(from + Number(searchParams.get('page_size') ?? pageSize), total);
  const records = [];
  for (let at = from; at < to; at += 1) records.push(parts.join(`202411-${at}`));
  const next = to < total ? `,"next_start_key":"${to}"` : '';
  reply(response, `{"data":[${records}],"page_size":${to - from},"status":"success"${next}}`);
}).listen(0, '127.0.0.1', function listening() {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
