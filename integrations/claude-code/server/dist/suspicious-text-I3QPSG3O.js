import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-SDI4FXIN.js";import"./chunk-SUDCCJBV.js";import"./chunk-ELQR6XKH.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as suspiciousIn};
