export const styles = `
:root{color-scheme:light dark;--back:#f5f6f8;--card:#fff;--line:#e3e6ea;--edge:#868e99;--text:#1b1f26;--dim:#5c6470;--accent:#0b6e6e;--soft:#e3f2f1;--good:#17753a;--goodback:#e2f4e8;--warn:#8a5300;--warnback:#fdf0d8;--bad:#b3261e;--badback:#fce8e6;--event:#6b3fa0;--eventback:#f0e8fa;--radius:12px}
@media(prefers-color-scheme:dark){:root{--back:#0f1216;--card:#171b21;--line:#2a3038;--edge:#6b7480;--text:#e8eaed;--dim:#9aa3af;--accent:#5cc8c2;--soft:#12302f;--good:#6fd08c;--goodback:#14301d;--warn:#f0b45c;--warnback:#35270f;--bad:#ff8a80;--badback:#3b1715;--event:#c9a6f5;--eventback:#2a1d3d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;-webkit-text-size-adjust:100%}
a{color:inherit;text-decoration:none}
a:hover{color:var(--accent)}
#content:focus{outline:0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,.path,.verb,.number,#now,.ms,.status,.feed time{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
.skip{position:absolute;left:-999px}
.skip:focus{left:12px;top:8px;z-index:9;background:var(--card);padding:8px 12px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;padding:12px 20px;background:var(--card);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:2}
.brand{font-weight:700;font-size:17px;letter-spacing:-.01em;display:flex;align-items:center;gap:10px}
.brand i{width:22px;height:22px;border-radius:7px;background:var(--accent);position:relative}
.brand i:after{content:"";position:absolute;inset:6px;border-radius:50%;border:2px solid var(--card)}
.brand small{font-weight:500;color:var(--dim);font-size:13px}
#clock{flex-wrap:wrap;margin-left:auto;font-size:13px;display:flex;align-items:center;gap:8px;color:var(--dim)}
#now{color:var(--text);font-size:13px}
.badge,#now{white-space:nowrap}
.badge{padding:1px 9px;border-radius:99px;font-size:12px;font-weight:600;background:var(--warnback);color:var(--warn)}
.badge.plain{background:var(--soft);color:var(--accent)}
#room{display:grid;grid-template-columns:190px minmax(0,1fr) minmax(300px,25vw);gap:20px;padding:20px;max-width:1720px;margin:0 auto;align-items:start}
#room.wide{grid-template-columns:190px minmax(0,1fr)}
.wide>#side{grid-row:1/3}
.wide>#live{position:static;grid-column:2;grid-row:1}
.wide>#live>div:first-child{border:0}
.wide>#live #feed,.wide>#live .more{display:none}
h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.02em;overflow-wrap:anywhere}
h1 small{font-size:.6em;font-weight:500;color:var(--dim);letter-spacing:0}
h2,.head{font-size:12px;text-transform:uppercase;letter-spacing:.07em;color:var(--dim);font-weight:600;margin:0 0 10px}
section,.tiles+section{margin-top:28px}
.trouble,.fine{margin:0 0 26px}
.trouble{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:var(--radius);padding:14px 16px 10px}
.trouble ul{list-style:none;margin:0;padding:0}
.trouble li{display:grid;grid-template-columns:72px minmax(0,1fr) auto;gap:2px 12px;align-items:baseline;padding:6px 0;border-top:1px solid var(--line);font-size:14px}
.trouble li:first-child{border-top:0}
.trouble .status{justify-self:start}
.trouble .told{overflow-wrap:anywhere}
.trouble time{color:var(--dim);font-size:13px;font-variant-numeric:tabular-nums;white-space:nowrap}
.trouble a,.more a,.pages a,.nothing a,.feed a:hover{color:var(--accent)}
p.more{margin:8px 0 0;font-size:13px}
#live p.more{margin:0;padding:8px 16px;border-top:1px solid var(--line)}
.also{margin:14px 0 0;padding:10px 10px 0;border-top:1px solid var(--line);font-size:14px}
form{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px}
input,form button{font:inherit;font-size:14px;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:6px 12px}
input{flex:1 1 165px;min-width:0;max-width:420px}input[type=datetime-local]{flex-basis:215px}
::placeholder{color:var(--dim);opacity:1}
form button{cursor:pointer}
.choices,.pages{display:flex;flex-wrap:wrap;gap:8px;margin:0 0 12px;font-size:14px}
.pages{margin:12px 0 0;gap:18px}
.choices a{padding:3px 12px;border:1px solid var(--edge);border-radius:99px}
.choices a[aria-current]{background:var(--soft);color:var(--accent);border-color:var(--accent);font-weight:600}
.line{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;margin:14px 0 18px;font-size:13px;color:var(--dim)}
.line code{user-select:all;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:5px 10px;color:var(--text);overflow-wrap:anywhere}
details>summary{cursor:pointer;color:var(--accent)}
#side{position:sticky;top:76px;max-height:calc(100vh - 96px);overflow-y:auto;padding:2px}
#accounts ul{list-style:none;margin:0;padding:0}
#accounts a{display:block;padding:6px 10px;border-radius:8px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
#accounts a:hover{background:var(--line)}
#accounts a[aria-current]{background:var(--soft);color:var(--accent);font-weight:600}
.depth1{padding-left:14px}.depth2{padding-left:28px}.depth3{padding-left:42px}.depth4{padding-left:56px}
.facts{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--dim);margin:0 0 14px}
.facts code{overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(118px,1fr));gap:10px;list-style:none;margin:0;padding:0}
.tiles a{display:block;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:8px 14px}
.tiles a:hover{border-color:var(--accent)}
.tiles b{display:block;font-size:21px;line-height:1.15;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
.tiles span{color:var(--dim);font-size:13px}
.tiles .empty b{color:var(--dim);font-weight:400}
figure,.record,.scroll,.nothing,#live{background:var(--card);border:1px solid var(--line);border-radius:var(--radius)}
figure{margin:0 0 12px;padding:12px 16px}
svg.calls{display:block}svg.calls .answered{fill:var(--accent)}svg.calls .reached{fill:var(--dim)}svg.calls .missed{fill:var(--bad)}
figure .scroll{max-height:380px}
figcaption a{color:var(--accent)}
figure .scroll{border:0;border-radius:0}
figcaption{font-weight:600;margin-bottom:8px;overflow-wrap:anywhere}
.scroll{overflow:auto;max-width:100%}
.nothing{padding:14px 16px;color:var(--dim);margin:0 0 12px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:8px 12px;border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400;max-width:250px;vertical-align:top;overflow:hidden;text-overflow:ellipsis}
thead th{font-size:12px;color:var(--dim);letter-spacing:.04em}
tbody th{font-weight:600}
tbody tr:last-child>*{border-bottom:0}
tbody a{color:var(--accent)}
td.wide{white-space:normal;width:45%;min-width:240px;max-width:none;overflow-wrap:anywhere}
td.wide .path{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
td time{font-size:13px}
.wide td{max-width:330px}
td .note{padding:0}
td .dim{display:block}
tbody td{font-variant-numeric:tabular-nums}
.crumbs{color:var(--dim);margin-bottom:6px;font-size:14px}
.record{padding:16px 18px}
dl{margin:0}
dl>div{display:grid;grid-template-columns:minmax(110px,230px) minmax(0,1fr);gap:2px 16px;padding:6px 0;border-top:1px solid var(--line)}
.record>dl>div:first-of-type,dd>dl>div:first-child{border-top:0}
dt{color:var(--dim);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
dd:has(dl){grid-column:1/-1}
dd dl{border-left:2px solid var(--line);margin-left:3px;padding-left:12px}
dd dl>div{grid-template-columns:minmax(80px,150px) minmax(0,1fr);padding:2px 0;border-top:0}
.items li+li{margin-top:4px}
dd a,dt a{color:var(--accent)}
.items{margin:0;padding:0;list-style:none}
.dim{color:var(--dim)}
.chip{font-size:12px;font-weight:600;padding:1px 8px;border-radius:99px}
.yes{background:var(--goodback);color:var(--good)}.no{background:var(--line);color:var(--dim)}
#live{position:sticky;top:76px;max-height:calc(100vh - 96px);display:flex;flex-direction:column}
#live>div:first-child{display:flex;align-items:center;gap:10px;padding:12px 16px;border-bottom:1px solid var(--line)}
#live h2{margin:0}
#state{font-size:12px;color:var(--dim);display:flex;align-items:center;gap:6px}
#state:before{content:"";width:8px;height:8px;border-radius:50%;background:var(--dim)}
#state.live:before{background:var(--good)}#state.gone:before{background:var(--bad)}
#pause{margin-left:auto;font:inherit;font-size:12px;color:var(--dim);background:none;border:1px solid var(--line);border-radius:99px;padding:2px 12px;cursor:pointer}
#pause[aria-pressed=true]{background:var(--warnback);color:var(--warn)}
#feed{overflow-y:auto}
#feed .nothing{border:0;margin:0}
.feed{list-style:none;margin:0;padding:0}
.feed li{padding:8px 16px;border-bottom:1px solid var(--line);font-size:13px}
.feed li:last-child{border-bottom:0}
.what{display:flex;gap:8px;align-items:baseline;min-width:0}
.what .path{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0;flex:1}
.path a{font-weight:600}
.verb{font-weight:700;font-size:11px;min-width:44px;color:var(--dim)}
.delivery .verb{color:var(--event);background:var(--eventback);border-radius:99px;padding:0 7px;font-family:inherit;font-weight:600}
.hook{white-space:nowrap;font-weight:600}
.what .hook{overflow:hidden;text-overflow:ellipsis;max-width:60%}
.feed .more{display:flex;flex-wrap:wrap;gap:0 12px;color:var(--dim);padding-left:52px;font-size:12px;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.status{font-weight:600;padding:0 7px;border-radius:99px;white-space:nowrap}
.good{background:var(--goodback);color:var(--good)}.warn{background:var(--warnback);color:var(--warn)}.bad{background:var(--badback);color:var(--bad)}.other{background:var(--line)}
.note{color:var(--bad);overflow-wrap:anywhere}
td .note{display:block}
@media(prefers-reduced-motion:no-preference){.new{animation:new 1.6s ease-out}@keyframes new{from{background:var(--soft)}}}
.flow{display:block}
.flow a:hover rect,.flow a:focus-visible rect{stroke:var(--accent);stroke-width:2}
.flow .back rect{stroke-dasharray:5 3;stroke:var(--dim)}
@media(min-width:721px){.flow.fit{max-width:100%;height:auto}}
.flow rect{fill:var(--back);stroke:var(--line);stroke-width:1.2}
.flow .start rect{fill:var(--soft);stroke:var(--accent)}
.flow text{font-size:12.5px;fill:var(--text);text-anchor:middle;dominant-baseline:central}
.flow .module{font-weight:600}
.flow .what{fill:var(--dim)}
.flow .wire{fill:none;stroke:var(--edge);stroke-width:1.3}
.flow .tip{fill:var(--edge)}
.flow .key rect{fill:var(--card)}
.flow .key text{font-size:11.5px;fill:var(--dim)}
.flow .new rect,.flow .reached rect{fill:var(--goodback);stroke:var(--good)}.flow .gone rect{fill:var(--badback);stroke:var(--bad)}
.flow .moved rect,.flow .changed rect{fill:var(--warnback);stroke:var(--warn)}
.also a{display:block;padding:3px 0}.also a:hover{color:var(--accent)}
.unknown{margin:14px 0 0;padding:10px 10px 0;border-top:1px solid var(--line);font-size:12.5px;color:var(--dim)}
.planned{margin:0 0 24px}.planned h3{font-size:16px;margin:0 0 8px;overflow-wrap:anywhere}.planned h3 a{color:var(--accent)}
.planned p{margin:0 0 8px}.planned .scroll{max-height:420px}
.beside{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:12px;align-items:start}
code.json{white-space:pre-wrap;overflow-wrap:anywhere}
h1+.facts+h2,.planned+h2{margin-top:8px}
.audit .table{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);overflow-x:auto}
.audit td{white-space:normal;max-width:none;overflow-wrap:anywhere}.audit td:nth-child(1){white-space:nowrap}
.audit td:nth-child(n+2){min-width:120px}.audit small,.audit td code{color:var(--dim)}.audit code span{display:inline-block}
.audit .warning{color:var(--warn)}.audit .chip{padding:1px 8px}
h2.account{text-transform:none;letter-spacing:0;font-size:15px;color:var(--text)}
.also a[aria-current]{color:var(--accent);font-weight:600}
.chip.error{background:var(--badback);color:var(--bad)}.chip.warning{background:var(--warnback);color:var(--warn)}.chip.note{background:var(--soft);color:var(--accent);display:inline-block}
footer{padding:4px 20px 28px;color:var(--dim);font-size:13px;max-width:1720px;margin:0 auto}
@media(max-width:1180px){#room{grid-template-columns:180px minmax(0,1fr)}#live{grid-column:1/-1;position:static;max-height:440px}}
@media(max-width:900px){.beside{grid-template-columns:minmax(0,1fr)}}
@media(max-width:720px){.planned thead{display:none}.planned tr,.planned tbody th,.planned td{display:block}.planned td{border:0}.planned tbody th{border:0;max-width:none;white-space:normal}.planned tr{border-bottom:1px solid var(--line)}.planned td:before{content:attr(data-side);display:block;font-size:12px;color:var(--dim)}.planned .scroll{max-height:none}
.audit thead{display:none}.audit tr,.audit td{display:block}.audit tr{border-top:1px solid var(--line);padding:6px 0}.audit td{border:0;padding:2px 12px}#room,#room.wide{display:block;padding:14px}.trouble li{grid-template-columns:72px minmax(0,1fr)}.trouble time{grid-column:2}.also{border:0;padding:0;margin:8px 0 0}.feed li:nth-child(n+13){display:none}header{padding:10px 14px;position:static}#clock{margin-left:0}#side{position:static;margin-bottom:16px;max-height:none}#accounts ul{display:flex;gap:4px;overflow-x:auto}#accounts li{padding-left:0}#accounts a{max-width:60vw}th,td{max-width:180px}#live{margin-top:28px;max-height:none}#feed{overflow:visible}.tiles{grid-template-columns:repeat(auto-fill,minmax(96px,1fr));gap:8px}.tiles a{padding:10px 12px}dl>div,dd dl>div{grid-template-columns:minmax(84px,38%) minmax(0,1fr)}h1{font-size:22px}}
`;
