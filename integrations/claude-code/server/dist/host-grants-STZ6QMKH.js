import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a,c as b}from"./chunk-KLA7QIHM.js";import"./chunk-64MHMSI7.js";import"./chunk-JIAG4PFQ.js";export{a as compileHostGrants,b as describeGrant};
