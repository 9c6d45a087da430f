import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-OI73NRUU.js";import"./chunk-EC3V3DBL.js";import"./chunk-E5UWBZ54.js";import"./chunk-YXYYV4NT.js";import"./chunk-5BR23QET.js";import"./chunk-IG4YBTYG.js";import"./chunk-HPLWMRSL.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
