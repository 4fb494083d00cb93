import { escaped } from './markdown.mts';

export interface Entry {
  /** Path relative to the folder of the site. */
  readonly path: string;
  readonly title: string;
}

export interface Part {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

export const style = `:root{color-scheme:light dark;--line:light-dark(#ddd,#3a3a3a);--soft:light-dark(#f5f6f7,#23262a);--link:light-dark(#0550ae,#79b8ff)}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;color:light-dark(#1b1f24,#e6e6e6);background:light-dark(#fff,#17191c)}
a{color:var(--link)}header{position:sticky;top:0;display:flex;gap:1rem;align-items:center;padding:.6rem 1rem;border-bottom:1px solid var(--line);background:inherit;background-color:light-dark(#fff,#17191c);z-index:2}
header a{font-weight:700;text-decoration:none}header input{flex:1;max-width:26rem;padding:.4rem .7rem;font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:.4rem}
.page{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:82rem;margin:0 auto}nav{padding:1rem;font-size:.9rem;border-right:1px solid var(--line)}
nav summary{font-weight:600;cursor:pointer;margin-top:.4rem}nav a{display:block;padding:.1rem .5rem;text-decoration:none;overflow-wrap:anywhere}nav a[aria-current]{background:var(--soft);border-radius:.3rem}
main{padding:1rem 2rem 4rem;min-width:0}h1,h2,h3{line-height:1.25;scroll-margin-top:4rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--line)}
code{font:.88em ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}pre{overflow:auto;padding:.8rem 1rem;background:var(--soft);border:1px solid var(--line);border-radius:.4rem}pre code{padding:0;background:none;overflow-wrap:normal}
.table{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
#found{position:absolute;top:100%;left:1rem;right:1rem;max-width:40rem;margin:0;padding:.4rem;list-style:none;background:light-dark(#fff,#17191c);border:1px solid var(--line);border-radius:.4rem;max-height:70vh;overflow:auto}#found:empty{display:none}#found a{display:block;padding:.3rem .5rem;font-weight:400}
@media(max-width:50rem){.page{grid-template-columns:1fr}nav{border-right:0;border-bottom:1px solid var(--line)}nav:not(.open){display:none}main{padding:1rem}td,th{min-width:8.5rem}}
@media(min-width:50.01rem){#menu{display:none}nav{position:sticky;top:3.4rem;height:calc(100vh - 3.4rem);overflow:auto}}`;

/** Search in an index loaded as a script, so that it works without a server. */
export const search = `const box=document.querySelector('#search'),list=document.querySelector('#found'),base=document.body.dataset.base;
box.addEventListener('input',()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);list.replaceChildren();if(!words.length)return;
const hits=[];for(const [path,title,text] of window.pages){const low=text.toLowerCase();if(!words.every(w=>low.includes(w)))continue;
const t=title.toLowerCase();hits.push([words.reduce((n,w)=>n+(t===w?8:t.includes(w)?4:0)+(low.split(w).length>3?1:0),0),path,title])}
hits.sort((a,b)=>b[0]-a[0]);for(const [,path,title] of hits.slice(0,20)){const item=document.createElement('li'),link=document.createElement('a');link.href=base+path;link.textContent=title;item.append(link);list.append(item)}
if(!hits.length){const item=document.createElement('li');item.textContent='Nothing found';list.append(item)}});
box.addEventListener('keydown',e=>{if(e.key==='Escape'){box.value='';list.replaceChildren()}if(e.key==='Enter')list.querySelector('a')?.click()});
document.querySelector('#menu').addEventListener('click',()=>document.querySelector('nav').classList.toggle('open'));`;

/** Returns a whole page with search and sidebar. `path` is relative to the folder of the site. */
export function document(path: string, title: string, body: string, parts: readonly Part[]): string {
  const base = '../'.repeat(path.split('/').length - 1);
  const nav = parts
    .map(({ heading, entries }) => {
      const isOpen = entries.some((entry) => entry.path === path) || heading === parts[0]?.heading;
      const links = entries.map(
        (entry) =>
          `<a href="${base}${escaped(entry.path)}"${entry.path === path ? ' aria-current="page"' : ''}>${escaped(entry.title)}</a>`,
      );
      return `<details${isOpen ? ' open' : ''}><summary>${escaped(heading)}</summary>${links.join('')}</details>`;
    })
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – telctl</title><link rel="stylesheet" href="${base}style.css"></head>
<body data-base="${base}"><header><button id="menu" type="button" aria-label="Pages">☰</button><a href="${base}index.html">telctl</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"><ul id="found"></ul></header>
<div class="page"><nav>${nav}</nav><main>${body}</main></div>
<script src="${base}pages.js"></script><script src="${base}search.js"></script></body></html>
`;
}
