import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-4GG4SLPT.js";import"./chunk-3POS64ZW.js";import"./chunk-DTJK2L4R.js";import"./chunk-2XDALKC3.js";import"./chunk-FPUCFWLJ.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
