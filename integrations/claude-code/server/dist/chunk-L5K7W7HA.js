import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{e as r}from"./chunk-OY44ALSK.js";import{d as o}from"./chunk-OB4XZPOP.js";async function m({hookSocket:a}){try{return await r(a,{method:"status"})}catch(t){if(t instanceof o&&t.code==="DAEMON_NOT_RUNNING")return;throw t}}export{m as a};
