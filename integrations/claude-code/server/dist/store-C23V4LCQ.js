import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-X5WDEQTM.js";import"./chunk-2LUZGEZI.js";import"./chunk-E5UWBZ54.js";import"./chunk-4U4AZ4DW.js";import"./chunk-MWR4ACZC.js";import"./chunk-PYWUPCJY.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
