import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{d as a}from"./chunk-C4QNT5XS.js";import"./chunk-4VD5AMUK.js";import"./chunk-FPUCFWLJ.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
