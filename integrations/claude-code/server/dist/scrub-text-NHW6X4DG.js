import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-D55ZAKYU.js";import"./chunk-43ZQNMVF.js";import"./chunk-JIAG4PFQ.js";export{a as cleanText,b as scrubText};
