import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-TASMPSKL.js";import"./chunk-X4TOPIJP.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
