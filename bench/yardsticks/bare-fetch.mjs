// A minimal script that shows one record: fetches it with a token and prints it.
const reply = await fetch(process.env.BENCH_URL, { headers: { 'X-Auth-Token': process.env.BENCH_TOKEN } });
if (!reply.ok) throw new Error(`${reply.status}`);
console.log(JSON.stringify((await reply.json()).data, null, 2));
