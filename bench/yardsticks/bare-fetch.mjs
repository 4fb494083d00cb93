// The least that a script has to do to show one record: one fetch with a token, printed.
const reply = await fetch(process.env.BENCH_URL, { headers: { 'X-Auth-Token': process.env.BENCH_TOKEN } });
if (!reply.ok) throw new Error(`${reply.status}`);
console.log(JSON.stringify((await reply.json()).data, null, 2));
