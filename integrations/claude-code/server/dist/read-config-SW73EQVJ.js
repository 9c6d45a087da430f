import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-PFV6FPGM.js";import"./chunk-NSTTUURC.js";import"./chunk-YMCZBGKF.js";import"./chunk-S2OD42NW.js";import"./chunk-JIAG4PFQ.js";export{a as readGitleaksConfig};
