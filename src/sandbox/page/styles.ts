/** How the page looks: light and dark as the system is, one column on a phone, three on a wide screen. */
export const styles = `
:root{color-scheme:light dark;--back:#f5f6f8;--card:#fff;--line:#e3e6ea;--text:#1b1f26;--dim:#646c78;--accent:#0b6e6e;--soft:#e3f2f1;--good:#17753a;--goodback:#e2f4e8;--warn:#8a5300;--warnback:#fdf0d8;--bad:#b3261e;--badback:#fce8e6;--event:#6b3fa0;--eventback:#f0e8fa;--radius:12px}
@media(prefers-color-scheme:dark){:root{--back:#0f1216;--card:#171b21;--line:#2a3038;--text:#e8eaed;--dim:#98a1ad;--accent:#5cc8c2;--soft:#12302f;--good:#6fd08c;--goodback:#14301d;--warn:#f0b45c;--warnback:#35270f;--bad:#ff8a80;--badback:#3b1715;--event:#c9a6f5;--eventback:#2a1d3d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;-webkit-text-size-adjust:100%}
a{color:inherit;text-decoration:none}
a:hover{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,.path,.verb,.number,#now,.ms,.status,.feed time{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
.skip{position:absolute;left:-999px}
.skip:focus{left:12px;top:8px;z-index:9;background:var(--card);padding:8px 12px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 20px;padding:12px 20px;background:var(--card);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:2}
.brand{font-weight:700;font-size:17px;letter-spacing:-.01em;display:flex;align-items:center;gap:10px}
.brand i{width:22px;height:22px;border-radius:7px;background:var(--accent);position:relative}
.brand i:after{content:"";position:absolute;inset:6px;border-radius:50%;border:2px solid var(--card)}
.brand small{font-weight:500;color:var(--dim);font-size:13px}
#clock{margin-left:auto;font-size:13px;display:flex;align-items:center;gap:8px;color:var(--dim)}
#now{color:var(--text);font-size:13px}
.badge{padding:1px 9px;border-radius:99px;font-size:12px;font-weight:600;background:var(--warnback);color:var(--warn)}
.badge.plain{background:var(--soft);color:var(--accent)}
main{display:grid;grid-template-columns:200px minmax(0,1fr) minmax(330px,27vw);gap:20px;padding:20px;max-width:1720px;margin:0 auto;align-items:start}
h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.02em;overflow-wrap:anywhere}
h2{font-size:12px;text-transform:uppercase;letter-spacing:.07em;color:var(--dim);font-weight:600;margin:0 0 10px}
section{margin-top:28px}
#side{position:sticky;top:76px}
#accounts ul{list-style:none;margin:0;padding:0}
#accounts a{display:block;padding:6px 10px;border-radius:8px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
#accounts a:hover{background:var(--line)}
#accounts a[aria-current]{background:var(--soft);color:var(--accent);font-weight:600}
.depth1{padding-left:14px}.depth2{padding-left:28px}.depth3{padding-left:42px}.depth4{padding-left:56px}
.facts{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--dim);margin:0 0 18px}
.facts code{overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(118px,1fr));gap:10px;list-style:none;margin:0;padding:0}
.tiles a{display:block;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:12px 14px}
.tiles a:hover{border-color:var(--accent)}
.tiles b{display:block;font-size:24px;line-height:1.15;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
.tiles span{color:var(--dim);font-size:13px}
.tiles .empty b{color:var(--dim);font-weight:400}
figure,.record,.scroll,.nothing,#live{background:var(--card);border:1px solid var(--line);border-radius:var(--radius)}
figure{margin:0 0 12px;padding:12px 16px}
figure .scroll{border:0;border-radius:0}
figcaption{font-weight:600;margin-bottom:8px}
.scroll{overflow-x:auto}
.nothing{padding:14px 16px;color:var(--dim);margin:0 0 12px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:9px 14px;border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400;max-width:340px;overflow:hidden;text-overflow:ellipsis}
thead th{font-size:12px;color:var(--dim);letter-spacing:.04em}
tbody th{font-weight:600}
tbody tr:last-child>*{border-bottom:0}
tbody a{color:var(--accent)}
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
dd a{color:var(--accent)}
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
.feed li{padding:7px 16px;border-bottom:1px solid var(--line);font-size:13px}
.feed li:last-child{border-bottom:0}
.what{display:flex;gap:8px;align-items:baseline;min-width:0}
.what>bdi,.path{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}
.verb{font-weight:700;font-size:11px;min-width:44px;color:var(--dim)}
.delivery .verb{color:var(--event);background:var(--eventback);border-radius:99px;padding:0 7px;font-family:inherit;font-weight:600}
.hook{white-space:nowrap}
.end{display:flex;gap:10px;align-items:baseline;color:var(--dim);padding-left:52px}
.end time{margin-left:auto}
.status{font-weight:600;padding:0 7px;border-radius:99px}
.good{background:var(--goodback);color:var(--good)}.warn{background:var(--warnback);color:var(--warn)}.bad{background:var(--badback);color:var(--bad)}.other{background:var(--line)}
.note{display:block;padding-left:52px;color:var(--bad);overflow-wrap:anywhere}
@media(prefers-reduced-motion:no-preference){.new{animation:new 1.6s ease-out}@keyframes new{from{background:var(--soft)}}}
.flow{display:block}
.flow rect{fill:var(--back);stroke:var(--line);stroke-width:1.2}
.flow .start rect{fill:var(--soft);stroke:var(--accent)}
.flow text{font-size:12.5px;fill:var(--text);text-anchor:middle;dominant-baseline:central}
.flow .module{font-weight:600}
.flow .what{fill:var(--dim)}
.flow .wire{fill:none;stroke:var(--dim);stroke-width:1.3;opacity:.7}
.flow .key rect{fill:var(--card)}
.flow .key text{font-size:11.5px;fill:var(--dim)}
footer{padding:4px 20px 28px;color:var(--dim);font-size:13px;max-width:1720px;margin:0 auto}
@media(max-width:1180px){main{grid-template-columns:180px minmax(0,1fr)}#live{grid-column:1/-1;position:static;max-height:440px}}
@media(max-width:720px){main{display:block;padding:14px}header{padding:10px 14px;position:static}#clock{margin-left:0}#side{position:static;margin-bottom:16px}#accounts ul{display:flex;gap:4px;overflow-x:auto}#accounts li{padding-left:0}#live{margin-top:28px;max-height:none}#feed{overflow:visible}.tiles{grid-template-columns:repeat(auto-fill,minmax(96px,1fr));gap:8px}.tiles a{padding:10px 12px}dl>div,dd dl>div{grid-template-columns:minmax(84px,38%) minmax(0,1fr)}h1{font-size:22px}}
`;
