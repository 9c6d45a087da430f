import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-ZPRGMHTF.js";import"./chunk-J3KIF5N2.js";import"./chunk-ZHF7PJYQ.js";import"./chunk-SEQX6JP7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
