import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{r as a,s as b,t as c,u as d,v as e}from"./chunk-VUXRRUCA.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as methodOf,e as readQuery,d as readRequest,c as readingRpcs,a as services};
