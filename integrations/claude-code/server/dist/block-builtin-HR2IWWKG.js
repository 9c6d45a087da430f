import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-A26JHHF7.js";import"./chunk-2EM75IEE.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-2EC4P35B.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
