import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-7KHGVWEW.js";import"./chunk-2N56VOSF.js";import"./chunk-KYIN5W4T.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as suspiciousIn};
