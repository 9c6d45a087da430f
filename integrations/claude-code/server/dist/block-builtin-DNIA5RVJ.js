import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-4BVCM274.js";import"./chunk-FOJOSR3V.js";import"./chunk-H3BFYNGC.js";import"./chunk-YLOE2KOQ.js";import"./chunk-2J5QN6RM.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
