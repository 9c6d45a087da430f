import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-BRG66JJI.js";import"./chunk-J3KIF5N2.js";import"./chunk-PRKSSD2M.js";import"./chunk-FPUCFWLJ.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
