import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-LNAGFELC.js";import"./chunk-OS42PEOT.js";import"./chunk-ZIH3H5W6.js";import"./chunk-MBQY2BJQ.js";import"./chunk-5B7STGLO.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
