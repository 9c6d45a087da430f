import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e,f,g}from"./chunk-M32SUVIZ.js";import"./chunk-JIAG4PFQ.js";export{f as certificateCaller,c as certificateId,e as certificateToken,a as localCaller,g as ownerOf,d as serialIn,b as tokenCaller};
