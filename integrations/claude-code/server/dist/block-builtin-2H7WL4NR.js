import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-M6SNQQ2Y.js";import"./chunk-XVFITR4M.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
