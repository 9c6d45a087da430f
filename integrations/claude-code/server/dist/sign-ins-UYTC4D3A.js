import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-LRF7ECWR.js";import"./chunk-J3KIF5N2.js";import"./chunk-T5CHQUCK.js";import"./chunk-Y7JADPB4.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
