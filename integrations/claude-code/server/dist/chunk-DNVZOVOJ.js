import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function*o(r,n){for(let e=0;e<r.length;e+=n)yield r.slice(e,e+n)}export{o as a};
