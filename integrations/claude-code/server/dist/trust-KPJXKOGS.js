import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-L4MMODBF.js";import"./chunk-J7RJAQXV.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
