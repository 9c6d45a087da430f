import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{d as r}from"./chunk-H66DS6TZ.js";var e=new Set([r,"default","fork",""]);function a({id:t,type:n}){return t===""?n===""?r:n:e.has(n)?`subagent:${n}`:n}export{a};
