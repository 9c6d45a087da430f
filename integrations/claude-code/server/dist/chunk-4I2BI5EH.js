import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as e}from"./chunk-XK26FZ3G.js";import{c as t}from"./chunk-WXQDO3IF.js";import{a as r}from"./chunk-XX6EP4UU.js";async function l(o,i,n){return!!o.env.CONTEXTD_ADDR||await t(r(o.env))!==void 0?e(o,i):n()}export{l as a};
