import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as i}from"./chunk-T4GCTWCU.js";import{e as t}from"./chunk-Q4URXU7R.js";import{a as o}from"./chunk-37MONOQY.js";function l(e,r){return i(r,({modelKeys:m,event:s})=>t(o(r.env),m,e,n=>s("model-key-created",{id:n,client:e})))}export{l as a};
