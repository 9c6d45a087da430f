import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-CAFWP66J.js";import"./chunk-NSTTUURC.js";import"./chunk-HRTTDR5S.js";import"./chunk-JIAG4PFQ.js";export{a as readGitleaksConfig};
