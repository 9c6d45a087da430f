import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{h as o}from"./chunk-T6M5KVQK.js";import{e as s}from"./chunk-H66DS6TZ.js";function l({paths:i,store:e}){let t={folder:i.tls,store:e,tenant:s,clock:Date.now};return{...t,issued:o(e,t.tenant,t.clock)}}export{l as a};
