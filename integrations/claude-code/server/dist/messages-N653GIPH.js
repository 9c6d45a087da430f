import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{r as a,s as b,t as c,u as d,v as e}from"./chunk-RPKGFAEB.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{b as methodOf,e as readQuery,d as readRequest,c as readingRpcs,a as services};
