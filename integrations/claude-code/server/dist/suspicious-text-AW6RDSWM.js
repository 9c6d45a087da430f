import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-LEHP5OCM.js";import"./chunk-PB5K7QVP.js";import"./chunk-PKWWR52I.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as suspiciousIn};
