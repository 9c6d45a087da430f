import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{c as a}from"./chunk-ALSFROAM.js";import"./chunk-MSB2XKE7.js";import"./chunk-3FGTAP4M.js";import"./chunk-22QIUYAB.js";import"./chunk-PCOBS3NJ.js";import"./chunk-2GAKLH5Z.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as explain};
