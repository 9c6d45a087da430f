import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{d as a}from"./chunk-EIRBJH2V.js";import"./chunk-4VD5AMUK.js";import"./chunk-SEQX6JP7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
