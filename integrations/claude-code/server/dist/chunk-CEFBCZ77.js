import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function d(e,s){let r="",t=0;for(let{start:n,end:a}of s(e).toSorted((o,l)=>o.start-l.start))n>=t&&(r+=`${e.slice(t,n)}[SECRET]`),t=Math.max(t,a);return r+e.slice(t)}export{d as a};
