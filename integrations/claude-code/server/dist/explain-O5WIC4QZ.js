import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-FIFTE7DW.js";import"./chunk-3RM5EA7V.js";import"./chunk-EFX5IYAD.js";import"./chunk-A7RQSIDQ.js";import"./chunk-PCOBS3NJ.js";import"./chunk-2GAKLH5Z.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
