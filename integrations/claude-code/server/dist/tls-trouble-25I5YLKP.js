import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-C7Q4X2GU.js";import"./chunk-LDGHTOTT.js";import"./chunk-ZIH3H5W6.js";import"./chunk-CBNGJOWL.js";import"./chunk-TBTGSYTM.js";import"./chunk-2EC4P35B.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
