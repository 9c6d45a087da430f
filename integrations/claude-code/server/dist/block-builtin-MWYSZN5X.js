import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-BNLQ5OGU.js";import"./chunk-JNC3PPBJ.js";import"./chunk-Y7JADPB4.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
