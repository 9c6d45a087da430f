import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as e,c as o,e as i}from"./chunk-7AKN6FNW.js";import{a as n}from"./chunk-LTLZU7V4.js";import{join as f}from"node:path";function d(m,t){let r=e(m,{workspace:t,home:n()});return a=>r!==void 0&&o(i(f(t,a)),r)}export{d as a};
