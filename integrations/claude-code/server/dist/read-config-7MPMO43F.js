import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-L5VRKEMA.js";import"./chunk-NSTTUURC.js";import"./chunk-2GAKLH5Z.js";import"./chunk-JIAG4PFQ.js";export{a as readGitleaksConfig};
