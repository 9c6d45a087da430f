import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var n=["project","user","all"];function p(e,o){return n.filter(r=>c(e,r)&&c(o,r))}function c(e,o){return e.includes(o)||e.includes("all")}export{n as a,p as b,c};
