import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-V4KSPH5H.js";import"./chunk-YKKJC36H.js";import"./chunk-ZIH3H5W6.js";import"./chunk-4U4AZ4DW.js";import"./chunk-RTHF4T5D.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
