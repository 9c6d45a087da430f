import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-LUWKSP2Z.js";import"./chunk-7G4JRPA2.js";import"./chunk-ELQR6XKH.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as suspiciousIn};
