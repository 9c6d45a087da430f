import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function i(e,o){let s="",t=0;for(let{start:r,end:n}of o(e).toSorted((a,c)=>a.start-c.start))r>=t&&(s+=`${e.slice(t,r)}[SECRET]`),t=Math.max(t,n);return s+e.slice(t)}export{i as a};
