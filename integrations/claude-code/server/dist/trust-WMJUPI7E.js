import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-R7DESXHM.js";import"./chunk-5EVYXZZ2.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
