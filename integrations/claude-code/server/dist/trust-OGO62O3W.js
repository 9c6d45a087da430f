import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-MRN5R4MX.js";import"./chunk-RTHF4T5D.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
