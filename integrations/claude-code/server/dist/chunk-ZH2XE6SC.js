import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{isAbsolute as e,relative as r,sep as s}from"node:path";function o(i,n){let t=r(i,n);return t===".."||t.startsWith(`..${s}`)||e(t)?void 0:t}function a(i,n){return o(i,n)!==void 0}export{o as a,a as b};
