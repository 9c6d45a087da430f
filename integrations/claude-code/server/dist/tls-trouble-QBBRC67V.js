import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-ONMV35SW.js";import"./chunk-2BL3U5CM.js";import"./chunk-ZIH3H5W6.js";import"./chunk-PJXPHEML.js";import"./chunk-TBTGSYTM.js";import"./chunk-3NWNTN7D.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
