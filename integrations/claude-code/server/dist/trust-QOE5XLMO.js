import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-UER4W4JT.js";import"./chunk-SH2YDKAQ.js";import"./chunk-JIAG4PFQ.js";export{a as createTrust,b as placeOf};
