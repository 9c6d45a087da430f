import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d}from"./chunk-ZXEGRGG6.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as isUnavailable,b as problemOf,c as unavailableEmbedder,d as unavailableVectors};
