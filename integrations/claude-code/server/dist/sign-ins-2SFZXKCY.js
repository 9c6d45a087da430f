import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-UFQ7XNHY.js";import"./chunk-J3KIF5N2.js";import"./chunk-PB44X73P.js";import"./chunk-4U4AZ4DW.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
