import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d}from"./chunk-YKT2YP55.js";import"./chunk-FPUCFWLJ.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{c as askDaemon,a as maxLine,d as readError,b as serveHookSocket};
