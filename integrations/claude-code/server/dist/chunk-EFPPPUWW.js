import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{e as r}from"./chunk-5W53GHFQ.js";import{d as o}from"./chunk-3NWNTN7D.js";async function s({hookSocket:e}){try{return await r(e,{method:"status"})}catch(t){if(t instanceof o&&t.code==="DAEMON_NOT_RUNNING")return;throw t}}export{s as a};
