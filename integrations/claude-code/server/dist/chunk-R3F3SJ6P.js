import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function e(r,n){return r.length<=n?r:`${r.slice(0,n-1).replace(/[\uD800-\uDBFF]$/,"").trimEnd()}\u2026`}function t(r,n){return e(r.replace(/\s+/g," ").trim(),n)}export{e as a,t as b};
