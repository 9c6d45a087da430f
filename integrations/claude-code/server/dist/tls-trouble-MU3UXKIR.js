import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-KRSOSWIC.js";import"./chunk-3O64YOM5.js";import"./chunk-ZIH3H5W6.js";import"./chunk-VGEENSMO.js";import"./chunk-TBTGSYTM.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
