import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{r as a,s as b,t as c,u as d,v as e}from"./chunk-X4JGG7KC.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as methodOf,e as readQuery,d as readRequest,c as readingRpcs,a as services};
