import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-MLJWYLEH.js";import"./chunk-7BVT6KEQ.js";import"./chunk-ZIH3H5W6.js";import"./chunk-YXYYV4NT.js";import"./chunk-TBTGSYTM.js";import"./chunk-HPLWMRSL.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
