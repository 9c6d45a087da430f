import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-VTRKAMHJ.js";import"./chunk-5OA4VQ5D.js";import"./chunk-ELQR6XKH.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as suspiciousIn};
