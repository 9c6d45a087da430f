import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-B4US5IK3.js";import"./chunk-J3KIF5N2.js";import"./chunk-A4AJRZDD.js";import"./chunk-YXYYV4NT.js";import"./chunk-HPLWMRSL.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
