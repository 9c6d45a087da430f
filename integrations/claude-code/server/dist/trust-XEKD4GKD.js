import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-6MNUTN3G.js";import"./chunk-6IR2SIP5.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
