import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-GKKN5IHF.js";import"./chunk-44RKDJFE.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-3NWNTN7D.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
