import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var i=/\r\n|[\n\v\f\r\u0085\u2028\u2029]/;function s(n,r){return n.split(i).map(t=>`${r}${t}`).join(`
`)}export{s as a};
