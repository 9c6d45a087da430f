import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-75XNFMLM.js";import"./chunk-LYZROSOC.js";import"./chunk-JIAG4PFQ.js";export{a as deliver};
