import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-QZPMVAVL.js";import"./chunk-QXVB5KTN.js";import"./chunk-EFX5IYAD.js";import"./chunk-XSAVW2KO.js";import"./chunk-PCOBS3NJ.js";import"./chunk-2GAKLH5Z.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
