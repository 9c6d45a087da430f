import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as i}from"./chunk-APZ2H7TE.js";import{e as t}from"./chunk-CGI65FWY.js";import{a as o}from"./chunk-YIJW6JQV.js";function l(e,r){return i(r,({modelKeys:m,event:s})=>t(o(r.env),m,e,n=>s("model-key-created",{id:n,client:e})))}export{l as a};
