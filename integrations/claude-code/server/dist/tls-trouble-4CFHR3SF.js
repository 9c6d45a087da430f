import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-TO3UVXJ4.js";import"./chunk-SNXPXH22.js";import"./chunk-ZIH3H5W6.js";import"./chunk-MVEYQQY2.js";import"./chunk-5B7STGLO.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
