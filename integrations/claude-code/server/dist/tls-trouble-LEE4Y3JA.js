import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-HYT5CCWR.js";import"./chunk-BJ4WYVKW.js";import"./chunk-ZIH3H5W6.js";import"./chunk-XC3BJMXU.js";import"./chunk-TBTGSYTM.js";import"./chunk-2J5QN6RM.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
