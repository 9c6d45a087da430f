import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{e}from"./chunk-PTNKKOJ3.js";import{d as o}from"./chunk-6T43ISLI.js";var a=2e3;async function m({hookSocket:r}){try{return await e(r,{method:"status"},a)}catch(t){if(t instanceof o&&t.code==="DAEMON_NOT_RUNNING")return;throw t}}export{m as a};
