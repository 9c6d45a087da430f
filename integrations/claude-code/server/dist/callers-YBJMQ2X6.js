import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d}from"./chunk-PJIEA5MN.js";import"./chunk-JIAG4PFQ.js";export{c as certificateCaller,a as localCaller,d as ownerOf,b as tokenCaller};
