import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-R2LOBZX2.js";import"./chunk-4LSS3RMB.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-HPLWMRSL.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
