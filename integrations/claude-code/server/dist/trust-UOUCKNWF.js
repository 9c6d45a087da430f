import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-DI4VQPIZ.js";import"./chunk-5B7STGLO.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
