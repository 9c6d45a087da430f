import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-JYIFIMWY.js";import"./chunk-W3MWT5I3.js";import"./chunk-JIAG4PFQ.js";export{a as cleanText,b as scrubText};
