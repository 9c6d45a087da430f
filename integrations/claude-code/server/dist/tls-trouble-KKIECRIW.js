import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-J22C4PRN.js";import"./chunk-JD7POYHY.js";import"./chunk-ZIH3H5W6.js";import"./chunk-SU6XUJ6I.js";import"./chunk-TBTGSYTM.js";import"./chunk-OTBPZXS7.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
