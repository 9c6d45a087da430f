import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function o(n){return n.code??"unknown"}export{o as a};
