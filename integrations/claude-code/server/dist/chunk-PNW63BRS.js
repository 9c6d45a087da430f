import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{e as r}from"./chunk-BL6OXWJW.js";import{d as o}from"./chunk-2EC4P35B.js";async function s({hookSocket:e}){try{return await r(e,{method:"status"})}catch(t){if(t instanceof o&&t.code==="DAEMON_NOT_RUNNING")return;throw t}}export{s as a};
