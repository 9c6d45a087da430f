import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-4VZSCUIP.js";import"./chunk-3NREHSVJ.js";import"./chunk-TFGZATAY.js";import"./chunk-JU5TC2HD.js";import"./chunk-SEQX6JP7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
