import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{isAbsolute as e,relative as r,sep as s}from"node:path";function o(t,i){let n=r(t,i);return n===".."||n.startsWith(`..${s}`)||e(n)?void 0:n}function d(t,i){return o(t,i)!==void 0}export{o as a,d as b};
