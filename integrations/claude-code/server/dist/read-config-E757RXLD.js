import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-DTKYEO4F.js";import"./chunk-NSTTUURC.js";import"./chunk-3WZKS5VQ.js";import"./chunk-JIAG4PFQ.js";export{a as readGitleaksConfig};
