import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a,c as b}from"./chunk-IUDT3H7L.js";import"./chunk-LJVJMDDQ.js";import"./chunk-JIAG4PFQ.js";export{a as compileHostGrants,b as describeGrant};
