import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as r}from"./chunk-6DHZC7BZ.js";function o(e){return new Set(r(e).toLowerCase().match(/[\p{L}\p{N}]+/gu)??[])}function d(e,t){return e.size+t.size===0?0:2*[...e].filter(n=>t.has(n)).length/(e.size+t.size)}export{o as a,d as b};
