import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-V74IR2S5.js";import"./chunk-3ON3CPO5.js";import"./chunk-2F3CRK33.js";import"./chunk-LYZROSOC.js";import"./chunk-64MHMSI7.js";import"./chunk-U6XOWDIY.js";import"./chunk-JIAG4PFQ.js";export{a as createPost};
