import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{c as a,d as b,e as c,f as d,g as e,h as f}from"./chunk-OY44ALSK.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{d as NoAnswer,c as askDaemon,e as converse,a as maxLine,f as readError,b as serveHookSocket};
