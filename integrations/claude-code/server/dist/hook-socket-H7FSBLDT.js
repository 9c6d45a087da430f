import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d}from"./chunk-6U5RFVHB.js";import"./chunk-Y7JADPB4.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{c as askDaemon,a as maxLine,d as readError,b as serveHookSocket};
