import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as i}from"./chunk-NZIPHWJ3.js";import{e as t}from"./chunk-6ZBLWNNB.js";import{a as o}from"./chunk-VMM4YZA6.js";function l(e,r){return i(r,({modelKeys:m,event:s})=>t(o(r.env),m,e,n=>s("model-key-created",{id:n,client:e})))}export{l as a};
