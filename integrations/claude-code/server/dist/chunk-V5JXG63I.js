import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var t=["error","warning","note"];function o({file:e,line:r,column:n}){return{file:e,line:r,column:n}}export{t as a,o as b};
