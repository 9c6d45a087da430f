import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-JBQCUUN2.js";import"./chunk-TBTGSYTM.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as projectFileOf};
