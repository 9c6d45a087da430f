import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-BUCA47AV.js";import"./chunk-CD44ZNWB.js";import"./chunk-H3BFYNGC.js";import"./chunk-YLOE2KOQ.js";import"./chunk-YWRR5WYW.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
